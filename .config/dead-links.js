// Lists the links of all Markdown files of a folder to files that do not exist: `node dead-links.js FOLDER`.
// Exit code 1 if there is one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const LINK = /\]\((?![a-z]+:|#)([^()\s#]+)(?:#[^()\s]*)?\)/g;
const [folder] = process.argv.slice(2);
const dead = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.md') && !/(^|\/)node_modules\//.test(name))
  .flatMap((name) => {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    return [...text.matchAll(LINK)]
      .filter(([, path]) => !existsSync(resolve(dirname(file), decodeURI(path))))
      .map(([, path]) => `${name}: ${path}`);
  });
for (const line of dead) console.log(line);
process.exitCode = dead.length === 0 ? 0 : 1;
