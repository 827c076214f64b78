import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PyodideAPI } from 'pyodide';
import { type PythonRuntime, provisionRuntime } from '../../src/sandbox/provision/index.ts';
import { bootPython } from '../../src/sandbox/provision/start-python.ts';
import { skipBecause } from '../missing.ts';

const oracleFolder = fileURLToPath(new URL('../../../shared/oracles/pandas_ta/', import.meta.url));

/** The folder of the pandas_ta oracle, or undefined where the checkout has no `../shared`. */
export function findOracle(): string | undefined {
  return existsSync(join(oracleFolder, 'expected.json')) ? oracleFolder : undefined;
}

/** The runtime that sandboxes get, or undefined where it cannot be provisioned, so that a test can skip. */
export async function findTestRuntime(): Promise<PythonRuntime | undefined> {
  try {
    return await provisionRuntime();
  } catch (error) {
    skipBecause(`tests of Python are skipped: ${String(error)}`);
    return undefined;
  }
}

/**
 * Starts Python in this process with numpy, pandas and this checkout's own packages.
 *
 * @returns the interpreter, or undefined when it cannot be provisioned, so that a test can skip.
 */
export async function loadTestPython(): Promise<PyodideAPI | undefined> {
  const runtime = await findTestRuntime();
  if (runtime === undefined) return undefined;
  const python = await bootPython(runtime);
  python.runPython('import numpy as np\nimport pandas as pd\npd.options.mode.copy_on_write = True');
  return python;
}
