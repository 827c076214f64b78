import type { RunRecord } from '../../journal/index.ts';

/** Returns the reasons given for opening positions and how often each occurred, the most frequent first. */
export function openingReasons(record: RunRecord): (readonly [reason: string, times: number])[] {
  const counts = new Map<string, number>();
  for (const { reason } of openingFills(record))
    if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/** Returns the fills that opened or increased a position. */
function openingFills({ fills, splits }: RunRecord): RunRecord['fills'] {
  const held = new Map<string, number>();
  let split = 0;
  return fills.filter(({ bar, symbol, side, quantity }) => {
    for (; split < splits.length && splits[split]!.bar <= bar; split++)
      held.set(splits[split]!.symbol, Number(splits[split]!.quantityAfter));
    const before = held.get(symbol) ?? 0;
    const after = before + (side === 'buy' ? Number(quantity) : -Number(quantity));
    held.set(symbol, Math.abs(after) < 1e-9 ? 0 : after);
    return Math.abs(after) > Math.abs(before) || before * after < 0;
  });
}
