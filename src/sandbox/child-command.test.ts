import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { childArguments } from './child-process.ts';
import type { PythonRuntime } from './provision/index.ts';

const built = existsSync(fileURLToPath(new URL('../../dist/sandbox/child/main.js', import.meta.url)));
if (!built) skipBecause('The sandbox child’s command line was not tested: run npm run build first.');

let folder: string;
let runtime: PythonRuntime;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sandtable-child-')));
  const file = (name: string): string => {
    writeFileSync(join(folder, name), name);
    return join(folder, name);
  };
  mkdirSync(join(folder, 'pyodide'));
  file('secret');
  symlinkSync(join(folder, 'pyodide'), join(folder, 'linked'));
  runtime = {
    pyodideFolder: join(folder, 'linked'),
    stdlib: file('stdlib.zip'),
    packages: [{ index: file('numpy.json'), data: file('numpy.bin') }],
    fingerprint: '',
    versions: {},
  };
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!built)('the command line of a sandbox child', () => {
  it.each([
    ['20.18.0', '--experimental-permission'],
    ['22.12.0', '--experimental-permission'],
    ['22.13.0', '--permission'],
    ['23.4.0', '--experimental-permission'],
    ['23.5.0', '--permission'],
    ['24.0.0', '--permission'],
    ['26.1.0', '--permission'],
  ])('starts Node %s with the permission model %s', (version, flag) => {
    expect(childArguments(runtime, version)[0]).toBe(flag);
  });

  it('allows reading Python and its own code, by both names of a link, and nothing else', () => {
    const given = childArguments(runtime);
    const readable = given.flatMap((one) => one.match(/^--allow-fs-read=(.*)$/)?.[1] ?? []);
    for (const path of ['linked', 'pyodide', 'stdlib.zip', 'numpy.json', 'numpy.bin'])
      expect(readable).toContain(join(folder, path));
    const own = readable
      .filter((path) => !path.startsWith(folder))
      .map((path) => path.replace(/^.*(?=\/(dist\/|package))/, ''));
    expect(new Set(own)).toEqual(new Set(['/dist/sandbox', '/package.json']));
    expect(given.filter((one) => one.startsWith('--allow') && !one.startsWith('--allow-fs-read='))).toEqual(
      [],
    );
    expect(given.some((one) => one.includes('*'))).toBe(false);
    expect(given.at(-1)).toMatch(/child\/main\.js$/);
    expect(given).toContain('--disallow-code-generation-from-strings');
  });

  // Starts Node with the command line of a sandbox child, but runs a test program instead of the child
  // program. The result shows which system access the flags deny to JavaScript.
  it('prevents reads, writes, processes, workers, add-ons and code evaluation', () => {
    const tried = {
      readAllowed: `fs.readFileSync(${JSON.stringify(join(folder, 'numpy.bin'))}, 'utf8')`,
      readSecret: `fs.readFileSync(${JSON.stringify(join(folder, 'secret'))}, 'utf8')`,
      readNode: 'fs.readFileSync(process.execPath)',
      list: `fs.readdirSync(${JSON.stringify(folder)})`,
      write: `fs.writeFileSync(${JSON.stringify(join(folder, 'numpy.bin'))}, 'x')`,
      run: `require('node:child_process').spawnSync(process.execPath, ['--version']).error ?? 'ran'`,
      worker: `new (require('node:worker_threads').Worker)('1', { eval: true })`,
      inspect: `require('node:inspector').open(0)`,
      evaluate: `globalThis.eval('1 + 1')`,
      compile: `new Function('return 1')()`,
    };
    const lines = Object.entries(tried).map(
      ([name, code]) =>
        `try { const value = ${code}; if (value instanceof Error) throw value; out.${name} = 'done'; } catch (error) { out.${name} = error.code ?? error.name; }`,
    );
    const program = `const fs = require('node:fs'); const out = {}; ${lines.join('\n')} process.stdout.write(JSON.stringify(out)); process.exit(0);`;
    const { stdout } = spawnSync(
      process.execPath,
      [...childArguments(runtime).slice(0, -1), '--eval', program],
      {
        encoding: 'utf8',
      },
    );
    expect(JSON.parse(stdout)).toEqual({
      readAllowed: 'done',
      readSecret: 'ERR_ACCESS_DENIED',
      readNode: 'ERR_ACCESS_DENIED',
      list: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      run: 'ERR_ACCESS_DENIED',
      worker: 'ERR_ACCESS_DENIED',
      inspect: 'ERR_ACCESS_DENIED',
      evaluate: 'EvalError',
      compile: 'EvalError',
    });
  });
});
