import { decimal } from '../../kernel/index.ts';
import type { BarSeries, CorporateAction } from '../../market/index.ts';

/** What splits and dividends do to a symbol's price between the close before a bar and its open. */
export interface GapAdjustments {
  /** Units at each bar for one unit at the bar before: 2 where a split of 2:1 comes into force. */
  readonly units: Float64Array;
  /** Dividend of each bar, for one unit held at the close before. */
  readonly cash: Float64Array;
}

/**
 * Splits and dividends of a symbol by the bar that they come into force with: its first bar at or after their date.
 *
 * Actions of one bar come in the order given: a dividend after a split is of the new units.
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
    // One contract's price over the other's: what was held makes neither a profit nor a loss of it.
    if (action.kind === 'roll') units[bar]! *= Number(action.oldPrice) / Number(action.newPrice);
    if (action.kind === 'split') units[bar]! *= Number(action.to) / Number(action.from);
    if (action.kind === 'dividend') cash[bar]! += Number(action.amount) * units[bar]!;
  }
  return { units, cash };
}

/**
 * The actions of a world: dividends keep their yield on the close before, and what a delisting pays keeps its share of
 * the last close. A roll stays on its date, and its prices keep their ratio. Splits and funding rates stay as they are.
 *
 * @param made the same symbols' bars in the world
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

/** Ten decimal places are a hundred millionth of a cent. */
function scaledText(amount: string, scale: number): string {
  if (scale === 1) return amount;
  const text = (Number(amount) * scale).toFixed(10).replace(/\.?0+$/, '');
  return text === '0' && Number(amount) > 0 ? '0.0000000001' : text;
}
