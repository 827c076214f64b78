import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Files of a Python strategy. Their names are relative to the strategy's folder, with `/`. */
export interface PythonSources {
  readonly folder: string;
  readonly main: string;
  /** Text of each file by its name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly files: readonly { readonly file: string; readonly sha256: string }[];
}

/** Maximum number of files of a strategy, including the main file. Further imported files are not read. */
const MOST_FILES = 200;
const IMPORT = /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([^#\n]*)|import[ \t]+([^#\n]+))/gm;

/**
 * Reads a strategy and the Python files of its folder that it imports, directly or through other files. Other
 * imports are left to Python, which knows the installed modules.
 *
 * @param namedAs path for messages, if `file` is a copy of that file
 */
export function readPythonSources(file: string, bytes: Buffer, namedAs = file): PythonSources {
  const folder = dirname(file);
  const main = basename(namedAs);
  const found = new Map<string, Buffer>([[main, bytes]]);
  const queue = [main];
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    for (const path of importedPaths(found.get(name)!.toString('utf8'), name)) {
      if (found.has(path) || found.size >= MOST_FILES || !existsSync(join(folder, path))) continue;
      found.set(path, readFileSync(join(folder, path)));
      queue.push(path);
    }
  }
  const named = [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    folder: dirname(namedAs),
    main,
    texts: Object.fromEntries(named.map(([name, content]) => [name, content.toString('utf8')])),
    files: named.map(([name, content]) => ({
      file: name,
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
  };
}

/** Returns the paths, relative to the strategy's folder, of files that a file's imports may refer to. */
function importedPaths(text: string, name: string): string[] {
  const above = name.split('/').slice(0, -1);
  const modules: string[][] = [];
  for (const [, dots, from, names = '', plain] of text.matchAll(IMPORT)) {
    if (plain !== undefined) {
      modules.push(...plain.split(',').map((each) => each.trim().split(/\s/)[0]!.split('.')));
      continue;
    }
    const level = dots?.length ?? 0;
    const base = level === 0 ? [] : above.slice(0, Math.max(0, above.length - level + 1));
    const module = [...base, ...(from === undefined || from === '' ? [] : from.split('.'))];
    if (from !== '') modules.push(module);
    // An imported name may be a file: `from . import helpers`.
    modules.push(...names.split(',').map((each) => [...module, each.trim().split(/[\s)]/)[0]!]));
  }
  return modules
    .filter((parts) => parts.length > 0 && parts.every((part) => /^\w+$/.test(part)))
    .flatMap((parts) => [`${parts.join('/')}.py`, `${parts.join('/')}/__init__.py`]);
}
