import ts from 'typescript';
import { type CodeBlock, ROOT } from './blocks.ts';

/** Declarations placed before a fragment on its first line: the names of a turn and types of the library. */
const IN_A_TURN = [
  "import type { BarContext, CustomCosts, Decision, Turn } from 'sandtable'",
  'declare const turn: Turn',
  'const { account, bar, orders, time, window, windowOf } = turn; ',
].join('; ');

/** Source files for the package's entry points in a checkout. */
const PATHS = {
  sandtable: ['./src/index.ts'],
  'sandtable/sandbox': ['./src/sandbox.ts'],
  'sandtable/toolkit': ['./src/toolkit.ts'],
  'sandtable/*': ['./src/*/index.ts'],
};

/**
 * Compiles all blocks in one program with the options of a strict user project.
 *
 * @returns each fault as `page:line message`
 */
export function compileFaults(blocks: readonly CodeBlock[]): string[] {
  const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
  const { tsBuildInfoFile: _, ...options } = ts.convertCompilerOptionsFromJson(
    config.compilerOptions,
    ROOT,
  ).options;
  const given: ts.CompilerOptions = {
    ...options,
    incremental: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    paths: PATHS,
  };
  const host = ts.createCompilerHost(given);
  const files = new Map(blocks.map((block, index) => [`${ROOT}docs/block-${index}.mts`, block]));
  const { fileExists, readFile, getSourceFile } = host;
  const textOf = (name: string): string | undefined => {
    const block = files.get(name);
    if (block === undefined) return undefined;
    return block.words.includes('fragment') ? `${IN_A_TURN}${block.code}` : block.code;
  };
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
  host.readFile = (name) => textOf(name) ?? readFile.call(host, name);
  host.getSourceFile = (name, target, ...rest) => {
    const text = textOf(name);
    return text === undefined
      ? getSourceFile.call(host, name, target, ...rest)
      : ts.createSourceFile(name, text, target);
  };
  const program = ts.createProgram([...files.keys()], given, host);
  return [...files].flatMap(([name, { page, line }]) => {
    const source = program.getSourceFile(name);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ start = 0, messageText }) => {
        const within = source?.getLineAndCharacterOfPosition(start).line ?? 0;
        return `${page}:${line + within} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      },
    );
  });
}
