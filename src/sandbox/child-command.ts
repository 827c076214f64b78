import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError, builtPlace } from '../kernel/index.ts';
import type { PythonRuntime } from './provision/index.ts';

/**
 * Returns the path of the compiled child. A checkout that runs from TypeScript sources also uses the compiled
 * child.
 */
function childEntry(): string {
  const file = fileURLToPath(builtPlace('sandbox/child/main.js'));
  if (existsSync(file)) return file;
  throw new AppError({
    code: 'not_built',
    message: `The sandbox child ${file} is missing.`,
    hint: 'Run: npm run build',
    kind: 'run',
  });
}

/** Node's name for the permission switch: experimental until 22.13 and 23.5. */
export function permissionFlag(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const stable = major >= 24 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13);
  return stable ? '--permission' : '--experimental-permission';
}

/**
 * Returns the command line of a sandbox child, which can read only Python and its own code.
 *
 * @param version version of Node, for example `20.18.1`
 */
export function childArguments(runtime: PythonRuntime, version: string = process.versions.node): string[] {
  const entry = childEntry();
  const sandboxFolder = dirname(dirname(entry));
  const packageFile = join(sandboxFolder, '..', '..', 'package.json');
  const readable = [runtime.pyodideFolder, runtime.stdlib, sandboxFolder, packageFile];
  for (const { index, data } of runtime.packages) readable.push(index, data);
  const paths = new Set(readable.flatMap((path) => [path, realPath(path)]));
  return [
    permissionFlag(version),
    ...[...paths].map((path) => `--allow-fs-read=${path}`),
    '--disallow-code-generation-from-strings',
    '--no-warnings',
    // With this limit, deep Python recursion raises a RecursionError before the C stack overflows.
    '--stack-size=4000',
    '--max-old-space-size=256',
    // Start-up creates many short-lived objects. A larger young generation reduces start-up time by a tenth.
    '--min-semi-space-size=16',
    '--max-semi-space-size=32',
    // Background optimisation of WebAssembly costs more processor time than it saves in a run.
    '--wasm-tiering-budget=1000000000',
    entry,
  ];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new AppError({
      code: 'sandbox_failed',
      message: `A file of the Python runtime is gone: ${path}.`,
      hint: 'Run: npx sandtable setup',
      kind: 'run',
      cause,
    });
  }
}
