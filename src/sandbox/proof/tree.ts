import type { SyntaxNode } from '@lezer/common';
import { A_TO_H, CAPITAL } from './attribute-names/a-to-h.ts';
import { I_TO_Z } from './attribute-names/i-to-z.ts';

/** Returns the children of a node without comments, which may occur anywhere. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child);
  }
  return children;
}

/** Returns the object and the name of `object.name`. Undefined for other nodes, including `object[…]`. */
export function attributeOf(node: SyntaxNode): { object: SyntaxNode; name: SyntaxNode } | undefined {
  if (node.name !== 'MemberExpression') return undefined;
  const [object, dot, name] = childrenOf(node);
  return dot?.name === '.' && name?.name === 'PropertyName' ? { object: object!, name } : undefined;
}

/** Returns true if a node is the `x` of `x[…]`. */
export function isSubscripted(node: SyntaxNode): boolean {
  const outer = node.parent;
  if (outer?.name !== 'MemberExpression') return false;
  const [object, bracket] = childrenOf(outer);
  return object!.from === node.from && object!.to === node.to && bracket?.name === '[';
}

export const COMPREHENSIONS = [
  'ArrayComprehensionExpression',
  'DictionaryComprehensionExpression',
  'SetComprehensionExpression',
];

/** Error whose message is the reason why a text is not proved. */
export class Unproved extends Error {}

/**
 * Every public attribute of every class and façade in the sandbox's Python. Any other attribute, such as
 * `df.my_ema`, is a column or an error, because no object has an attribute of that name.
 *
 * Generated from the running interpreter. Generate again after a change of Python, numpy or pandas.
 */
const ATTRIBUTE_NAMES: ReadonlySet<string> = new Set(
  [CAPITAL, A_TO_H, I_TO_Z].flatMap((names) => names.trim().split(/\s+/)),
);

/** True if no object has an attribute of this name: reading it gives a column of a frame, or an error. */
export function isColumn(name: string): boolean {
  return !name.startsWith('_') && !ATTRIBUTE_NAMES.has(name);
}
