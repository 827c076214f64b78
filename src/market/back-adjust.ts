import { type Fault, faultsError, formatInstant, type Instant } from '../kernel/index.ts';
import type { BarSeries } from './bar-series.ts';
import { roundedPrice } from './column.ts';
import type { CorporateAction } from './corporate-action.ts';

/** Factor for the bars before an instant. */
export interface Adjustment {
  readonly time: Instant;
  readonly price: number;
  readonly volume: number;
}

/** Kinds of actions for which prices can be adjusted. */
export const ADJUSTED_KINDS = ['splits', 'dividends', 'all'] as const;
export type AdjustedKinds = (typeof ADJUSTED_KINDS)[number];

/**
 * Returns the factors of one symbol's actions, oldest first.
 *
 * A split of 4:1 divides the prices before it by 4 and multiplies the volumes by 4. A dividend multiplies the
 * prices before it by 1 − amount / the last close before it. CRSP and most vendors use the same method.
 *
 * @throws AppError `bad_actions` for a dividend that is as large as the price from which it is paid
 */
export function adjustmentsOf(
  series: BarSeries,
  actions: readonly CorporateAction[],
  kinds: AdjustedKinds = 'all',
): Adjustment[] {
  const faults: Fault[] = [];
  const own = actions.filter(({ symbol }) => symbol === series.symbol);
  const found = own.flatMap((action): Adjustment[] => {
    const { time } = action;
    if (action.kind === 'split' && kinds !== 'dividends')
      return [
        {
          time,
          price: Number(action.from) / Number(action.to),
          volume: Number(action.to) / Number(action.from),
        },
      ];
    if (action.kind !== 'dividend' || kinds === 'splits') return [];
    const before = closeBefore(series, time, own);
    if (before === undefined) return [];
    const price = 1 - Number(action.amount) / before;
    if (price > 0) return [{ time, price, volume: 1 }];
    const where = `${series.symbol}, dividend of ${formatInstant(time)}`;
    faults.push({ where, message: `pays ${action.amount}, and the close before it is ${before}` });
    return [];
  });
  if (faults.length > 0)
    throw faultsError(
      'bad_actions',
      'The prices cannot be adjusted',
      faults,
      'Check the amounts, and that prices and amounts are on one basis: not adjusted already.',
    );
  return found;
}

/** Returns the last close before an instant. Adjusts it if that day also has a split. */
function closeBefore(
  { time, close }: BarSeries,
  instant: Instant,
  actions: readonly CorporateAction[],
): number | undefined {
  const index = time.findLastIndex((bar) => bar < instant);
  if (index < 0) return undefined;
  const split = actions.find((action) => action.kind === 'split' && action.time === instant);
  const ratio = split?.kind === 'split' ? Number(split.from) / Number(split.to) : 1;
  return close[index]! * ratio;
}

/** Multiplies the prices and volumes before each adjustment by its factor. The newest bars are unchanged. */
export function backAdjust(series: BarSeries, adjustments: readonly Adjustment[]): BarSeries {
  const { time } = series;
  const [open, high, low, close, volume] = [
    series.open,
    series.high,
    series.low,
    series.close,
    series.volume,
  ].map((column) => column.slice()) as [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];
  const newestFirst = [...adjustments].sort((a, b) => b.time - a.time);
  let [next, price, amount] = [0, 1, 1];
  for (let index = time.length - 1; index >= 0; index--) {
    while (next < newestFirst.length && time[index]! < newestFirst[next]!.time) {
      price *= newestFirst[next]!.price;
      amount *= newestFirst[next]!.volume;
      next++;
    }
    if (next === 0) continue;
    for (const column of [open, high, low, close]) column[index] = roundedPrice(column[index]! * price);
    volume[index] = roundedPrice(volume[index]! * amount);
  }
  return { ...series, open, high, low, close, volume };
}
