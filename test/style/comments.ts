import ts from 'typescript';
import { parsed } from './parse.ts';

/** A comment of a source file, without its markers. */
export interface Comment {
  /** Line of its beginning in the file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Returns the comments of TypeScript code. Neighbouring `//` lines are one comment. */
export function commentsOf(code: string): Comment[] {
  const file = parsed(code);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) return;
    for (const range of ts.getLeadingCommentRanges(code, node.getFullStart()) ?? [])
      ranges.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(code, node.end) ?? []) ranges.set(range.pos, range);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  const comments: { line: number; end: number; text: string; block: boolean }[] = [];
  for (const { pos, end, kind } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const line = file.getLineAndCharacterOfPosition(pos).line + 1;
    const block = kind === ts.SyntaxKind.MultiLineCommentTrivia;
    const text = block ? blockText(code.slice(pos, end)) : code.slice(pos + 2, end).trim();
    const last = comments.at(-1);
    if (!block && last !== undefined && !last.block && last.end === line - 1) {
      last.text += `\n${text}`;
      last.end = line;
    } else comments.push({ line, end: line, text, block });
  }
  return comments.filter(({ text }) => !/^(biome-ignore|@ts-|#__|<reference)/.test(text));
}

const blockText = (comment: string): string =>
  comment
    .replace(/^\/\*+/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
