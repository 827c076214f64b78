// Run before the package is packed: takes the declarations out of dist/ that no import reaches from those a user can
// name, so that what only our own sources share is no part of what everybody downloads.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const reached = new Set();
const waiting = Object.values(exports).flatMap(({ types }) =>
  types === undefined ? [] : [normalize(types)],
);
for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
  if (reached.has(file)) continue;
  reached.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)) {
    const types = join(dirname(file), name).replace(/\.[jt]s$/, '.d.ts');
    if (!existsSync(types)) throw new Error(`${file} imports ${name}, which has no types`);
    waiting.push(types);
  }
}
if (reached.size === 0) throw new Error('package.json exports no types');
for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', String(name));
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
// Their indentation is a fortieth of what is downloaded of them, and no editor shows it.
for (const file of reached) writeFileSync(file, readFileSync(file, 'utf8').replace(/^ +/gm, ''));
