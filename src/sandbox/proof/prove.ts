import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { Judge, type ReadOnlyRecord } from './judge.ts';
import { Unproved } from './tree.ts';

/** Longer texts are not proved: what the tools take of code at most, in UTF-16 units. */
export const LONGEST_PROVED = 20_000;

const OPENING = /^\s*```[\w+-]*[ \t]*\n/;

/**
 * Agent code as Python will parse it: out of its Markdown fence, its common indentation gone.
 *
 * Python does the same to what it gets (`program.tidy`), and compares what it then parses with what was proved.
 */
export function tidySource(source: string): string {
  const text = withoutFence(source).replaceAll('\r\n', '\n');
  const lines = text.split('\n');
  let margin = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (line.trim() !== '') margin = Math.min(margin, /^ */.exec(line)![0].length);
  }
  if (!Number.isFinite(margin) || margin === 0) return text.trimEnd();
  // Only where every line has it: otherwise it is left as it is, and not proved.
  return lines
    .map((line) => (line.trim() === '' ? '' : line.slice(margin)))
    .join('\n')
    .trimEnd();
}

/** In steps and not by one expression, which would try every space of a long run of them as the last. */
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
 * Result of the proof that running a text leaves nothing behind.
 *
 * `facts` are the sorted identifiers of the judged tree. Python compares them with those of the tree it runs,
 * so that a text that both parsers read differently is never treated as clean.
 */
export type Proof =
  | { readonly clean: true; readonly facts: string }
  | { readonly clean: false; readonly because: string };

/** Maximum depth of a tree. The judge is recursive and searches the path from a node to its root. */
const DEEPEST = 250;

/**
 * Judges agent code by an allow-list over its syntax tree; never runs it, never throws, and takes time by its length.
 *
 * @param record name of a read-only record, and the names of its fields
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
    // Any other error is a tree nobody thought of: what cannot be judged is not proved.
    return { clean: false, because: error instanceof Unproved ? error.message : 'cannot be judged' };
  }
}

/**
 * Before the parser, which takes most of a second over thousands of brackets: it looks for a way on at each that does not
 * fit. Those in texts and comments count as well; so many of them are in no ordinary code.
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

/** Whole, so that every node has the children its kind promises, and no deeper than the judge can go. */
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
