// Step of .config/package.js, run in the staging folder. Deletes from dist/ the declarations that no entry of
// package.json reaches, because only the sources of the program share them.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** `export { a, type B as C } from './file.ts';` */
const PASSED_ON = /^export (?:type )?\{([^}]*)\} from ['"](\.[^'"]+)['"];\n?/gm;
/** `import type { A as B } from './file.ts';` */
const IMPORTED = /^import (?:type )?\{([^}]*)\} from ['"](\.[^'"]+)['"];/gm;
/** `export * from './file.ts';` */
const ALL_PASSED_ON = /^export \* from ['"](\.[^'"]+)['"];/gm;
/** `import('./file.ts').A` */
const INLINE = /import\(['"](\.[^'"]+)['"]\)\.(\w+)/g;
const COMMENT = /\/\*[\s\S]*?\*\//g;

/** By file: its text, and the names that are wanted of it. */
const files = new Map();
const waiting = [];

function want(file, name) {
  let known = files.get(file);
  if (known === undefined) {
    known = read(file);
    files.set(file, known);
    for (const [from, imported] of known.imports) waiting.push([from, imported]);
    if (known.entry) for (const exported of known.passedOn.keys()) waiting.push([file, exported]);
  }
  if (known.wanted.has(name)) return;
  known.wanted.add(name);
  const passed = known.passedOn.get(name);
  if (passed !== undefined) waiting.push(passed);
  // Whichever of them has it.
  else for (const from of known.all) waiting.push([from, name]);
}

function read(file) {
  const text = readFileSync(file, 'utf8');
  const target = (name) => {
    const types = join(dirname(file), name).replace(/\.[jt]s$/, '.d.ts');
    if (!existsSync(types)) throw new Error(`${file} imports ${name}, which has no types`);
    return types;
  };
  const passedOn = new Map();
  for (const [, list, from] of text.matchAll(PASSED_ON))
    for (const { name, as } of namesIn(list)) passedOn.set(as, [target(from), name]);
  const all = [...text.matchAll(ALL_PASSED_ON)].map(([, from]) => target(from));
  const imports = [];
  for (const [, list, from] of text.matchAll(IMPORTED))
    for (const { name } of namesIn(list)) imports.push([target(from), name]);
  for (const [, from, name] of text.matchAll(INLINE)) imports.push([target(from), name]);
  const rest = text
    .replace(PASSED_ON, '')
    .replace(IMPORTED, '')
    .replace(ALL_PASSED_ON, '')
    .replace(INLINE, '')
    .replace(COMMENT, '');
  const unknown = /['"]\.\.?\/[^'"]*\.[jt]s['"]/.exec(rest);
  if (unknown !== null) throw new Error(`${file} imports ${unknown[0]} in a way that is not understood here`);
  return { text, passedOn, all, imports, wanted: new Set(), entry: entries.has(file) };
}

function namesIn(list) {
  return list
    .replace(COMMENT, '')
    .split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .filter((part) => part !== '')
    .map((part) => {
      const [name, as = name] = part.split(/\s+as\s+/);
      return { name, as };
    });
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = new Set(Object.values(exports).flatMap(({ types }) => (types ? [normalize(types)] : [])));
if (entries.size === 0) throw new Error('package.json exports no types');
for (const entry of entries) waiting.push([entry, 'default']);
for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) want(...next);

for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', String(name));
  if (file.endsWith('.d.ts') && !files.has(file)) rmSync(file);
}
for (const [file, { text, wanted, entry }] of files) {
  const kept = entry
    ? text
    : text.replace(PASSED_ON, (statement, list, from) => {
        const names = namesIn(list).filter(({ as }) => wanted.has(as));
        if (names.length === namesIn(list).length) return statement;
        const type = statement.startsWith('export type') ? 'type ' : '';
        return names.length === 0
          ? ''
          : `export ${type}{ ${names.map(({ name, as }) => written(list, name, as)).join(', ')} } from '${from}';\n`;
      });
  // Their indentation is a fortieth of what is downloaded of them, and no editor shows it.
  writeFileSync(file, kept.replace(/^ +/gm, ''));
}

function written(list, name, as) {
  const type = new RegExp(`\\btype\\s+${name}\\b`).test(list) ? 'type ' : '';
  return `${type}${name === as ? name : `${name} as ${as}`}`;
}
