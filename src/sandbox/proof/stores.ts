import type { SyntaxNode } from '@lezer/common';
import { NEW_STORES, OWN_STORES } from './allowed-names.ts';
import type { Bindings } from './bindings.ts';
import { attributeOf, childrenOf, isColumn, Unproved } from './tree.ts';

/** A target of an assignment or of `del`: a name, or something that this call has made. */
export function checkStore(node: SyntaxNode, names: Bindings): void {
  if (node.name !== 'MemberExpression') {
    if (/^(Tuple|Array|Parenthesized)Expression$/.test(node.name))
      for (const child of childrenOf(node)) checkStore(child, names);
    return;
  }
  const attribute = attributeOf(node);
  const [object] = childrenOf(node);
  if (attribute !== undefined) {
    const stored = names.textOf(attribute.name);
    if (NEW_STORES.has(stored) && names.isNewName(attribute.object)) return;
    if ((OWN_STORES.has(stored) || isColumn(stored)) && names.isOwnName(attribute.object)) return;
  } else if (names.isOwnName(object!)) {
    return;
  } else {
    const inner = attributeOf(object!);
    const by = inner && names.textOf(inner.name);
    if (inner && /^(loc|iloc|at|iat)$/.test(by!) && names.isOwnName(inner.object)) return;
  }
  throw new Unproved(`stores into ${names.textOf(node).slice(0, 40)}, which this call may not have made`);
}
