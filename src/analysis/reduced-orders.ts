import type { RunRecord } from '../journal/index.ts';

/**
 * Number of orders that were filled with fewer units than requested because of limited buying power. An order
 * that was reduced at several fills counts once.
 */
export function reducedOrdersOf({ fills }: Pick<RunRecord, 'fills'>): number {
  return new Set(
    fills.flatMap(({ orderId, requestedQuantity }) => (requestedQuantity === undefined ? [] : [orderId])),
  ).size;
}
