// Step of .config/package.js, run in the staging folder. Pages of the package link to pages and pictures that only the
// repository has. A link to a missing file becomes its text with the path in the repository, and a missing picture its
// description.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve('.');
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^()\s#]+)(#[^()\s]*)?\)/g;

/** Replaces links to files that the package does not have. Code blocks stay as they are. */
function relinked(text, folder) {
  return text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part, place) =>
      place % 2 === 1
        ? part
        : part.replace(LINK, (whole, image, label, path) => {
            const target = resolve(folder, decodeURI(path));
            if (existsSync(target)) return whole;
            if (image === '!') return label;
            const place = relative(root, target);
            return label.replaceAll('`', '') === place
              ? `\`${place}\` (in the repository)`
              : `${label} (\`${place}\` in the repository)`;
          }),
    )
    .join('');
}

let changed = 0;
for (const name of readdirSync('.', { recursive: true })) {
  const file = String(name);
  if (!file.endsWith('.md') || file.startsWith('node_modules')) continue;
  const text = readFileSync(file, 'utf8');
  const now = relinked(text, dirname(join(root, file)));
  if (now === text) continue;
  changed += 1;
  writeFileSync(file, now);
}
if (changed === 0) throw new Error('No page links to a file outside of the package. Remove this step.');
