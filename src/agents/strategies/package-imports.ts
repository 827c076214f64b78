import type { ResolveFnOutput } from 'node:module';

/** Import names of this package and their files, relative to the folder of the compiled program. */
const FILES: Readonly<Record<string, string>> = {
  sandtable: 'index.js',
  'sandtable/sandbox': 'sandbox.js',
  'sandtable/toolkit': 'toolkit.js',
  'sandtable/steps': 'testing/steps/index.js',
  'sandtable/testing': 'testing/index.js',
};

const STRATEGY_FILE = /\.[tj]s$/;

/**
 * Resolves `sandtable` and its entry points to the running copy of the program. A strategy file can therefore
 * import them from any folder.
 *
 * @param program folder of the compiled program, as a URL that ends in `/`
 * @returns `undefined` for names that do not belong to this package
 */
export function packageModule(specifier: string, program: string): ResolveFnOutput | undefined {
  const file = Object.hasOwn(FILES, specifier) ? FILES[specifier] : undefined;
  return file === undefined ? undefined : { url: program + file, format: 'module', shortCircuit: true };
}

/** Treats a strategy file as an ES module, even in a folder whose package.json lacks "type": "module". */
export function asModule(found: ResolveFnOutput): ResolveFnOutput {
  const { url } = found;
  const isStrategy = url.startsWith('file:') && STRATEGY_FILE.test(url) && !url.includes('/node_modules/');
  return isStrategy ? { ...found, format: 'module' } : found;
}
