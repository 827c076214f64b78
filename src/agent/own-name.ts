import type { ResolveFnOutput } from 'node:module';

/** The package's names and their files, from the folder of the compiled program. */
const FILES: Readonly<Record<string, string>> = {
  sandtable: 'index.js',
  'sandtable/sandbox': 'sandbox.js',
  'sandtable/toolkit': 'toolkit.js',
  'sandtable/steps': 'steps/index.js',
  'sandtable/testing': 'testing/index.js',
};

const STRATEGY_FILE = /\.[tj]s$/;

/**
 * Lets a strategy file anywhere on the machine import `sandtable`, and gives it the copy that runs it.
 *
 * @param program the folder of the compiled program, as a URL that ends in `/`
 * @returns undefined for a name that is not ours
 */
export function ownModule(specifier: string, program: string): ResolveFnOutput | undefined {
  const file = Object.hasOwn(FILES, specifier) ? FILES[specifier] : undefined;
  return file === undefined ? undefined : { url: program + file, format: 'module', shortCircuit: true };
}

/** A strategy is an ES module wherever it lies: a folder without "type": "module" must not make it CommonJS. */
export function asModule(found: ResolveFnOutput): ResolveFnOutput {
  const { url } = found;
  const isStrategy = url.startsWith('file:') && STRATEGY_FILE.test(url) && !url.includes('/node_modules/');
  return isStrategy ? { ...found, format: 'module' } : found;
}
