import ts from 'typescript';

let last: { readonly code: string; readonly file: ts.SourceFile } | undefined;

/** Parses TypeScript code. Several checks read each file, so the last result is reused. */
export function parsed(code: string): ts.SourceFile {
  if (last?.code !== code)
    last = { code, file: ts.createSourceFile('code.ts', code, ts.ScriptTarget.Latest, true) };
  return last.file;
}
