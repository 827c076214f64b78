import { decimal } from '../../kernel/index.ts';
import type { BarSeries, CorporateAction } from '../../market/index.ts';

/** Effects of splits and dividends on a symbol's price between a close and the next open. */
export interface GapAdjustments {
  /** Units at each bar per unit at the previous bar, for example 2 for a split of 2:1. */
  readonly units: Float64Array;
  /** Dividend at each bar, per unit at the previous close. */
  readonly cash: Float64Array;
}

/**
 * Returns the splits and dividends of a symbol by bar. An action takes effect at the first bar at or after
 * its date.
 *
 * Actions of one bar apply in the given order: a dividend after a split refers to the new units.
 */
export function adjustmentsOf(
  { symbol, time }: BarSeries,
  actions: readonly CorporateAction[],
): GapAdjustments {
  const units = new Float64Array(time.length).fill(1);
  const cash = new Float64Array(time.length);
  for (const action of ofSymbol(actions, symbol)) {
    const bar = time.findIndex((instant) => instant >= action.time);
    if (bar < 1) continue;
    // Ratio of the prices of both contracts, so that a roll causes neither profit nor loss.
    if (action.kind === 'roll') units[bar]! *= Number(action.oldPrice) / Number(action.newPrice);
    if (action.kind === 'split') units[bar]! *= Number(action.to) / Number(action.from);
    if (action.kind === 'dividend') cash[bar]! += Number(action.amount) * units[bar]!;
  }
  return { units, cash };
}

/**
 * Returns the actions of a world. Dividends retain their yield on the previous close. The payment of a
 * delisting retains its share of the last close. A roll retains its date and its price ratio. Splits and
 * funding rates do not change.
 *
 * @param made bars of the same symbols in the world
 */
export function actionsOfWorld(
  actions: readonly CorporateAction[],
  actual: readonly BarSeries[],
  made: readonly BarSeries[],
): CorporateAction[] {
  return actions.map((action) => {
    const index = actual.findIndex(({ symbol }) => symbol === action.symbol);
    const series = actual[index];
    if (series === undefined) return action;
    const next = series.time.findIndex((instant) => instant >= action.time);
    const before = next === -1 ? series.time.length - 1 : next - 1;
    if (before < 0) return action;
    if (action.kind === 'roll' && next > 0) {
      const open = made[index]!.open[next]!;
      const oldPrice = scaledText(action.oldPrice, open / series.open[next]!);
      return { ...action, oldPrice, newPrice: decimal(open).toString() };
    }
    const scale = made[index]!.close[before]! / series.close[before]!;
    if (action.kind === 'dividend') return { ...action, amount: scaledText(action.amount, scale) };
    if (action.kind === 'delisting' && action.price !== undefined)
      return { ...action, price: scaledText(action.price, scale) };
    return action;
  });
}

function ofSymbol(actions: readonly CorporateAction[], symbol: string): CorporateAction[] {
  return actions.filter((action) => action.symbol === symbol);
}

/** Ten decimal places: a hundred millionth of a cent. */
function scaledText(amount: string, scale: number): string {
  if (scale === 1) return amount;
  const text = (Number(amount) * scale).toFixed(10).replace(/\.?0+$/, '');
  return text === '0' && Number(amount) > 0 ? '0.0000000001' : text;
}
