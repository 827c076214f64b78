import type { RunRecord } from '../../../journal/index.ts';
import { unitsBetween } from '../benchmark/benchmark-coverage.ts';

/**
 * Largest move against (adverse) and with (favourable) a closed trade, as fractions of the entry price.
 * `adverse` is 0 or worse, `favourable` 0 or better.
 */
export interface Excursion {
  readonly adverse: number;
  readonly favourable: number;
}

/** Explanation shown with excursions in every report. */
export const EXCURSION_CONVENTION =
  'furthest price against and with the trade, from its entry bar to the bar before its exit, and its exit price; over the entry price; prices of before a split on the basis after it';

/**
 * Maximum adverse and favourable excursion of each closed trade. `undefined` if the journal lacks prices for
 * the trade.
 */
export function excursionsOf(record: RunRecord): (Excursion | undefined)[] {
  const { symbols } = record.started;
  const splits = unitsBetween(record);
  return record.trades.map((trade) => {
    const symbol = symbols.indexOf(trade.symbol);
    const entry = Number(trade.entryPrice);
    if (symbol < 0 || !(entry > 0)) return undefined;
    let low = Math.min(entry, Number(trade.exitPrice));
    let high = Math.max(entry, Number(trade.exitPrice));
    for (let bar = trade.entryBar; bar < trade.bar; bar++) {
      const prices = record.bars[bar]?.prices;
      if (prices === undefined) return undefined;
      const values = prices[symbol];
      if (values === null || values === undefined) continue;
      // The entry price is adjusted for splits up to the exit.
      const units = splits(trade.symbol, bar, trade.bar);
      high = Math.max(high, values[1] / units);
      low = Math.min(low, values[2] / units);
    }
    const [fall, rise] = [low / entry - 1, high / entry - 1];
    return trade.side === 'long'
      ? { adverse: fall, favourable: rise }
      : { adverse: -rise, favourable: -fall };
  });
}
