import type { SyntaxNode } from '@lezer/common';
import { A_TO_H, CAPITAL } from './attribute-names/a-to-h.ts';
import { I_TO_Z } from './attribute-names/i-to-z.ts';

/** Returns the children of a node, without comments. Comments may occur anywhere. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== 'Comment') children.push(child);
  }
  return children;
}

/**
 * Returns the object and the name of an attribute access `object.name`. `undefined` for other nodes,
 * including `object[…]`.
 */
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

/** Error whose message is the reason why agent code is not proved to leave no change for later calls. */
export class Unproved extends Error {}

/**
 * Names of all public attributes of all classes and modules in the sandbox's Python. No object has a public
 * attribute whose name is not in this list. An access such as `df.my_ema` therefore returns a column or
 * raises an error.
 *
 * The list was generated from the running interpreter. Generate it again after an update of Python, numpy or
 * pandas.
 */
const ATTRIBUTE_NAMES: ReadonlySet<string> = new Set(
  [CAPITAL, A_TO_H, I_TO_Z].flatMap((names) => names.trim().split(/\s+/)),
);

/**
 * Returns true if no object has an attribute with this name. Reading the name then gives a column of a frame,
 * or an error.
 */
export function isColumn(name: string): boolean {
  return !name.startsWith('_') && !ATTRIBUTE_NAMES.has(name);
}
