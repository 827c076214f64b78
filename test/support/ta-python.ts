import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PyodideAPI } from 'pyodide';
import { type PythonRuntime, provisionRuntime } from '../../src/sandbox/provision/index.ts';
import { bootPython } from '../../src/sandbox/provision/start-python.ts';
import { skipBecause } from '../missing.ts';

const oracleFolder = fileURLToPath(new URL('../../../shared/oracles/pandas_ta/', import.meta.url));

/**
 * Returns the folder with expected values of pandas_ta. `undefined` if `../shared` does not exist next to the
 * checkout.
 */
export function findOracle(): string | undefined {
  return existsSync(join(oracleFolder, 'expected.json')) ? oracleFolder : undefined;
}

/**
 * Returns the Python runtime of sandboxes. `undefined` if it is unavailable, so that tests can be skipped.
 */
export async function findTestRuntime(): Promise<PythonRuntime | undefined> {
  try {
    return await provisionRuntime();
  } catch (error) {
    skipBecause(`tests of Python are skipped: ${String(error)}`);
    return undefined;
  }
}

/**
 * Starts Python in this process with numpy, pandas and the Python packages of this checkout.
 *
 * @returns the interpreter. `undefined` if it is unavailable, so that tests can be skipped
 */
export async function loadTestPython(): Promise<PyodideAPI | undefined> {
  const runtime = await findTestRuntime();
  if (runtime === undefined) return undefined;
  const python = await bootPython(runtime);
  python.runPython('import numpy as np\nimport pandas as pd\npd.options.mode.copy_on_write = True');
  return python;
}
