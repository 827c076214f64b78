import type { SyntaxNode } from '@lezer/common';
import { A_TO_H, CAPITAL } from './attribute-names/a-to-h.ts';
import { I_TO_Z } from './attribute-names/i-to-z.ts';

/** Children that mean something: comments may stand anywhere. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child);
  }
  return children;
}

/** The object and the name of `object.name`; undefined for other nodes, `object[…]` among them. */
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

/** Why a text is not proved, as its message. */
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

/** No object has an attribute of that name: it is a column of a frame, or an error. */
export function isColumn(name: string): boolean {
  return !name.startsWith('_') && !ATTRIBUTE_NAMES.has(name);
}
