/** Compilation of a single source file, as `npm run build` compiles it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = fileURLToPath(new URL('../../.config', import.meta.url));
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(folder, 'tsconfig.build.json'), ts.sys.readFile).config,
  ts.sys,
  folder,
);
/**
 * The build writes ES modules, because package.json contains `"type": "module"`. The compiler of a single file
 * does not read package.json and would write CommonJS.
 */
const compilerOptions: ts.CompilerOptions = { ...options, module: ts.ModuleKind.ESNext, sourceMap: false };

/** Returns the JavaScript of a TypeScript source. */
export function compiledSource(file: string, text: string): string {
  return ts.transpileModule(text, { compilerOptions, fileName: file }).outputText;
}
