/**
 * Checks the built site (`npm run docs`): each link leads to a page and an anchor that exist, each page is reachable from
 * the menu, and each picture is used. Then opens pages in Chromium, if there is one: nothing wider than a phone, no faults
 * of accessibility, and a first page that is small. `--static` omits this part.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { browserFaults } from './browse-site.ts';

const docs = import.meta.dirname;
const site = join(docs, '.vitepress', 'dist');
const pages = readdirSync(site, { recursive: true })
  .map((name) => String(name).replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.html') && name !== '404.html');
/** Pages that Sandtable wrote, copied as they are. They are targets of links and not part of the menu. */
const copies = new Set(pages.filter((page) => existsSync(join(docs, 'public', page))));
const texts = new Map(pages.map((page) => [page, readFileSync(join(site, page), 'utf8')]));
const faults: string[] = [];

function fileOf(path: string): string | undefined {
  const plain = path.replace(/^\//, '').replace(/\/$/, '');
  return [plain, `${plain}.html`, posix.join(plain, 'index.html')].find((name) => texts.has(name));
}

const linked = new Set<string>();
for (const [page, text] of texts) {
  if (copies.has(page)) continue;
  for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
    if (/^[a-z]+:/.test(href)) continue;
    const [path = '', anchor = ''] = href.split('#');
    const target = fileOf(path === '' ? page : posix.resolve('/', posix.dirname(page), path));
    if (target === undefined) faults.push(`${page}: ${href} is not a page`);
    else if (anchor !== '' && !texts.get(target)!.includes(`id="${decodeURIComponent(anchor)}"`))
      faults.push(`${page}: ${target} has no anchor #${anchor}`);
    // The menu is on every page, so a page links to itself only through it.
    if (target !== undefined && page === 'index.html') linked.add(target);
  }
}
for (const page of pages)
  if (!linked.has(page) && !copies.has(page)) faults.push(`${page} is not in the menu`);

const sources = readdirSync(docs, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.md') && !/^(\.vitepress|api)/.test(name))
  .map((name) => join(docs, name));
const used = new Set(
  [...sources, resolve(docs, '..', 'README.md')].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, path = '']) =>
      path.startsWith('/') ? join(docs, 'public', path) : resolve(dirname(file), path),
    ),
  ),
);
for (const image of readdirSync(join(docs, 'images')))
  if (!used.has(join(docs, 'images', image))) faults.push(`docs/images/${image} is not used`);
for (const folder of ['gallery', 'indicators'])
  for (const name of readdirSync(join(docs, 'public', folder), { recursive: true }).map(String)) {
    const file = join(docs, 'public', folder, name);
    if (name.endsWith('.svg') && !used.has(file)) faults.push(`${file} is not used`);
  }
for (const image of used) if (!existsSync(image)) faults.push(`${image} is missing`);

const own = pages.filter((page) => !copies.has(page));
if (!process.argv.includes('--static')) faults.push(...(await browserFaults(site, own)));

for (const fault of [...new Set(faults)]) console.error(fault);
console.log(`${pages.length} pages, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
