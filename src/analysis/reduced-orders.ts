import type { RunRecord } from '../journal/index.ts';

/** Orders filled with fewer units than they asked for, for want of buying power; one that was cut at several of its fills counts once. */
export function reducedOrdersOf({ fills }: Pick<RunRecord, 'fills'>): number {
  return new Set(
    fills.flatMap(({ orderId, requestedQuantity }) => (requestedQuantity === undefined ? [] : [orderId])),
  ).size;
}
