import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loadPyodide, type PyodideAPI } from 'pyodide';

const pythonFolder = fileURLToPath(new URL('python/', import.meta.url));
const oracleFolder = fileURLToPath(new URL('../../../shared/oracles/pandas_ta/', import.meta.url));

/** The folder of the pandas_ta oracle, or undefined where the checkout has no `../shared`. */
export function findOracle(): string | undefined {
  return existsSync(join(oracleFolder, 'expected.json')) ? oracleFolder : undefined;
}

/**
 * TO BE WIRED TO THE PROVISIONER: the one place that decides which wheels the tests of `ta` run on.
 *
 * @returns a folder holding the numpy and pandas wheels, or undefined when none is at hand.
 */
function findWheels(): string | undefined {
  const folders = [process.env.SANDTABLE_WHEELS, join(homedir(), '.cache', 'sandtable', 'wheels')];
  return folders.find((folder) => folder !== undefined && existsSync(folder) && hasPandas(folder));
}

function hasPandas(folder: string): boolean {
  return readdirSync(folder).some((file) => file.startsWith('pandas-') && file.endsWith('.whl'));
}

/**
 * Starts Python in this process with numpy, pandas and this checkout's `ta` on its path.
 *
 * @returns the interpreter, or undefined when no wheels are at hand, so that a test can skip.
 */
export async function loadTestPython(): Promise<PyodideAPI | undefined> {
  const wheels = findWheels();
  if (wheels === undefined) return undefined;
  const runtime = dirname(fileURLToPath(import.meta.resolve('pyodide')));
  const python = await loadPyodide({
    indexURL: runtime,
    packageBaseUrl: pathToFileURL(join(wheels, '/')).pathname,
    packageCacheDir: join(wheels, '/'),
  });
  await python.loadPackage(['numpy', 'pandas'], { messageCallback: () => {} });
  copyFolder(python, pythonFolder, '/ta-under-test');
  python.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, '/ta-under-test')
import numpy as np, pandas as pd
pd.options.mode.copy_on_write = True
`);
  return python;
}

function copyFolder(python: PyodideAPI, from: string, to: string): void {
  python.FS.mkdirTree(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyFolder(python, join(from, entry.name), `${to}/${entry.name}`);
    else if (entry.name.endsWith('.py')) {
      python.FS.writeFile(`${to}/${entry.name}`, readFileSync(join(from, entry.name)));
    }
  }
}
