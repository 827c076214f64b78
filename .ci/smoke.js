// Uses the built command line as a user would, on any operating system: node .ci/smoke.js
// Works in a temporary folder whose path contains a space. Exit code 1 and the output of the first command that fails.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, 'dist', 'cli', 'bin.js');
const folder = join(mkdtempSync(join(tmpdir(), 'sandtable-smoke-')), 'with space');
const strategy = (name) => join(root, 'strategies', `${name}.ts`);
const data = ['--data', join(root, 'data', 'spx-daily.csv'), '--to', '2001-12-31'];

function sandtable(...argv) {
  const end = spawnSync(process.execPath, [program, ...argv], { cwd: folder, encoding: 'utf8' });
  if (end.status !== 0)
    throw new Error(
      `sandtable ${argv.join(' ')} ended with ${end.status ?? end.signal}\n${end.stdout}${end.stderr}`,
    );
  console.log(`passed: sandtable ${argv[0]} ${argv[1] ?? ''}`);
  return end.stdout;
}

function runInto(out, name, ...flags) {
  sandtable('run', strategy(name), ...data, '--out', out, '--quiet', ...flags);
  const run = readdirSync(join(folder, out), { withFileTypes: true }).find((entry) => entry.isDirectory());
  return join(out, run.name);
}

function sameFile(one, other, name) {
  const [first, second] = [one, other].map((run) => readFileSync(join(folder, run, name)));
  if (!first.equals(second)) throw new Error(`${name} of ${one} and of ${other} differ`);
  console.log(`passed: ${name} of two runs is the same`);
}

mkdirSync(folder, { recursive: true });
try {
  sandtable('--version');
  sandtable('doctor');
  const first = runInto('first', 'sma-cross');
  const second = runInto('second', 'sma-cross', '--seal');
  sameFile(first, second, 'equity.csv');
  const python = runInto('python', 'compute-sma-cross');
  sandtable('replay', python);
  sandtable('report', first);
  sandtable('compare', first, python);
  sandtable('query', 'select count(*) as runs from runs', '--reports', 'first');
  sandtable(
    'sweep',
    strategy('sma-cross'),
    ...data,
    '--param',
    'fast=5:7:1',
    '--jobs',
    '2',
    '--out',
    'sweep',
  );
  // A record made on another system is replayed byte for byte.
  cpSync(join(root, 'reports', 'example-llm-momentum'), join(folder, 'recorded'), { recursive: true });
  sandtable('replay', 'recorded', '--data', join(root, 'data', 'spx-daily.csv'));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(dirname(folder), { recursive: true, force: true });
}
