import type { SyntaxNode } from '@lezer/common';

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
