import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { Judge, type ReadOnlyRecord } from './judge.ts';
import { Unproved } from './tree.ts';

/** Maximum length of agent code that can be proved, in UTF-16 units. Tools do not accept longer code. */
export const LONGEST_PROVED = 20_000;

const OPENING = /^\s*```[\w+-]*[ \t]*\n/;

/**
 * Returns agent code as Python parses it: without its Markdown fence and its common indentation.
 *
 * Python changes the code in the same way (`program.tidy`). It compares the syntax tree that it parses with
 * the one that was proved.
 */
export function tidySource(source: string): string {
  const text = withoutFence(source).replaceAll('\r\n', '\n');
  const lines = text.split('\n');
  let margin = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (line.trim() !== '') margin = Math.min(margin, /^ */.exec(line)![0].length);
  }
  if (!Number.isFinite(margin) || margin === 0) return text.trimEnd();
  // All lines begin with this margin. Code that is indented in another way, for example with tabs, stays
  // unchanged and is not proved.
  return lines
    .map((line) => (line.trim() === '' ? '' : line.slice(margin)))
    .join('\n')
    .trimEnd();
}

/**
 * Removes the Markdown fence in steps. A single regular expression would be slow for a long sequence of
 * spaces, because it would try each of them as the last one.
 */
function withoutFence(source: string): string {
  const opening = OPENING.exec(source)?.[0].length;
  const closed = source.trimEnd();
  const closing = closed.length - 3;
  if (opening === undefined || closing < opening || !closed.endsWith('```')) return source;
  let end = closing;
  while (end > opening && (closed[end - 1] === ' ' || closed[end - 1] === '\t')) end -= 1;
  if (end > opening && closed[end - 1] === '\n') end -= 1;
  return closed.slice(opening, end);
}

/**
 * Result of the static check (the proof) that running agent code leaves nothing behind: no change that a
 * later call could see. `clean` is true if the check succeeded. `because` is the reason if it failed.
 *
 * `facts` contains the sorted identifiers of the proved syntax tree. Python compares them with the tree that
 * it runs. Code that the parser here and Python's parser read differently is therefore never treated as
 * clean.
 */
export type Proof =
  | { readonly clean: true; readonly facts: string }
  | { readonly clean: false; readonly because: string };

/**
 * Maximum depth of a syntax tree. The checks are recursive and search the path from a node to its root, so a
 * deeper tree would be slow or overflow the stack.
 */
const DEEPEST = 250;

/**
 * Checks if running agent code leaves nothing behind, by comparing its syntax tree with an allow-list. Does
 * not run the code and never throws. The duration depends only on the length of the code.
 *
 * @param record object whose fields the code may read in addition to the names on the allow-list
 */
export function proveText(source: string, record?: ReadOnlyRecord): Proof {
  if (source.length > LONGEST_PROVED) return { clean: false, because: 'longer than what is proved' };
  try {
    const text = tidySource(source);
    if (/[\f\0\v\uFEFF\r]/.test(text)) return { clean: false, because: 'control characters' };
    checkBrackets(text);
    const root = parser.parse(text).topNode;
    checkShape(root);
    const judge = new Judge(root, text, record);
    judge.visit(root);
    return { clean: true, facts: judge.identifiers.sort().join(' ') };
  } catch (error) {
    // Another error means that the tree has an unexpected form. Such code is not proved.
    return { clean: false, because: error instanceof Unproved ? error.message : 'cannot be judged' };
  }
}

/**
 * Rejects texts with more than `DEEPEST` open or unmatched brackets before they are parsed. At each unmatched
 * bracket, the parser tries to recover, which takes almost a second for thousands of brackets. Brackets in
 * string literals and comments are counted as well, because ordinary code has few of them.
 */
function checkBrackets(text: string): void {
  let open = 0;
  let unmatched = 0;
  for (let place = 0; place < text.length; place++) {
    const sign = text[place]!;
    if ('([{'.includes(sign)) open += 1;
    else if (')]}'.includes(sign)) {
      if (open > 0) open -= 1;
      else unmatched += 1;
    }
    if (open > DEEPEST || unmatched > DEEPEST) throw new Unproved('syntax: nested too deeply');
  }
}

/**
 * Checks that the tree has no syntax errors and is at most `DEEPEST` levels deep. Without syntax errors,
 * every node has the children that its kind requires.
 */
function checkShape(root: SyntaxNode): void {
  let depth = 0;
  root.cursor().iterate(
    (node) => {
      depth += 1;
      if (node.type.isError) throw new Unproved('syntax: cannot be parsed');
      if (depth > DEEPEST) throw new Unproved('syntax: nested too deeply');
    },
    () => {
      depth -= 1;
    },
  );
}
