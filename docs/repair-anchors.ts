/**
 * Corrects links of the generated library reference. The generator numbers the anchor of some headings (`#vfsfile-1`)
 * although their page has the heading one time.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const folder = join(import.meta.dirname, 'reference', 'library');
const pages = new Map(
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file, readFileSync(file, 'utf8')]),
);

function anchorsOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, title = ''] of text.matchAll(/^#+ (.+)$/gm)) {
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-');
    const count = counts.get(anchor) ?? 0;
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
    counts.set(anchor, count + 1);
  }
  return anchors;
}

const anchors = new Map([...pages].map(([file, text]) => [file, anchorsOf(text)]));
for (const [file, text] of pages) {
  const repaired = text.replaceAll(/\]\(([^)#\s]*)#([\w-]+)\)/g, (link, path: string, anchor: string) => {
    const known = anchors.get(path === '' ? file : resolve(dirname(file), path));
    const plain = anchor.replace(/-\d+$/, '');
    return known === undefined || known.has(anchor) || !known.has(plain) ? link : `](${path}#${plain})`;
  });
  if (repaired !== text) writeFileSync(file, repaired);
}
