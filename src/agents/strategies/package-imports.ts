import type { ResolveFnOutput } from 'node:module';

/** Files of this package by import name, relative to the folder of the compiled program. */
const FILES: Readonly<Record<string, string>> = {
  sandtable: 'index.js',
  'sandtable/sandbox': 'sandbox.js',
  'sandtable/toolkit': 'toolkit.js',
  'sandtable/steps': 'testing/steps/index.js',
  'sandtable/testing': 'testing/index.js',
};

const STRATEGY_FILE = /\.[tj]s$/;

/**
 * Resolves `sandtable` and its entry points to the running copy of the program, so that a strategy file can
 * import them from any folder.
 *
 * @param program folder of the compiled program, as a URL that ends in `/`
 * @returns `undefined` for names that do not belong to this package
 */
export function packageModule(specifier: string, program: string): ResolveFnOutput | undefined {
  const file = Object.hasOwn(FILES, specifier) ? FILES[specifier] : undefined;
  return file === undefined ? undefined : { url: program + file, format: 'module', shortCircuit: true };
}

/**
 * Makes Node load a strategy file as an ES module, even if the package.json of its folder lacks "type":
 * "module".
 */
export function asModule(found: ResolveFnOutput): ResolveFnOutput {
  const { url } = found;
  const isStrategy = url.startsWith('file:') && STRATEGY_FILE.test(url) && !url.includes('/node_modules/');
  return isStrategy ? { ...found, format: 'module' } : found;
}
