import { z } from 'zod';
import { defineStrategy, type Strategy } from '../../agents/index.ts';
import type { BarContext } from '../../engine/index.ts';
import { BASELINES, baselineBar, baselineTermsSchema } from './baselines.ts';

/**
 * Planned positions. `from` and `to` are indices of bars. A position with equal `from` and `to` is closed at
 * the close of the bar in which it was opened.
 */
const planSchema = z.array(
  z.strictObject({ symbol: z.string(), from: z.number(), to: z.number(), weight: z.number() }),
);
type Planned = z.infer<typeof planSchema>[number];

/** Planned position whose entry order has been placed. The position is removed when its exit is ordered. */
interface Held extends Planned {
  /** Units, negative for a short position. `undefined` until the entry is filled. */
  units: number | undefined;
}

/** State of an agent that trades a plan of positions. */
interface PlanState {
  readonly plan: readonly Planned[];
  /**
   * Smallest step of an order's quantity. Each size is rounded to the nearest step before the order is
   * placed, because the broker rounds down, which would make small trades too small on average.
   */
  readonly lot: number;
  /** Largest size of one order, as a multiple of equity. */
  readonly leverage: number;
  held: Held[];
}

/** Difference below which two numbers of units count as equal. */
const ROUNDING = 1e-9;

/**
 * Trades one bar of a plan.
 *
 * Each entry is sized as a fraction of equity. Each exit trades the number of units that its entry bought or
 * sold.
 */
function plannedBar(turn: BarContext, state: PlanState): void {
  // Orders are decided at the close of this bar and filled at the open of the next bar.
  const next = turn.bar + 1;
  // Positions that should have been closed at the close of this bar. If the closing order was not filled,
  // these positions are closed at the next open.
  const late = new Set(state.held.filter(({ from, to }) => from === to && from < next));
  const isEnding = (one: Held): boolean => one.to === next || late.has(one);
  const heldIn = (symbol: string): Held[] => state.held.filter((one) => one.symbol === symbol);
  // New positions are assigned their units at the first bar after the fill, because a later split changes the
  // number of units.
  const fresh = state.held.filter(({ units }) => units === undefined);
  for (const symbol of new Set(fresh.map((one) => one.symbol))) {
    const [own, units] = [heldIn(symbol), turn.account.units(symbol)];
    const isPending = turn.orders.pending().some((order) => turn.symbols[order.symbol] === symbol);
    if (!isPending && units !== knownUnits(own)) countUnits(own, late, units);
  }
  const entered = state.plan.filter(({ from }) => from === next).map((one) => ({ ...one, units: undefined }));
  const ending = state.held.filter(isEnding);
  if (entered.length === 0 && ending.length === 0) return;
  const symbols = new Set([...ending, ...entered].map(({ symbol }) => symbol));
  const moves = [...symbols].map((symbol) => {
    const own = heldIn(symbol);
    countUnits(own, late, turn.account.units(symbol));
    return moveOf(
      turn,
      symbol,
      own,
      own.filter(isEnding),
      entered.filter((one) => one.symbol === symbol),
    );
  });
  state.held = [...state.held.filter((one) => !isEnding(one)), ...entered];
  const equity = turn.account.equity.toNumber();
  if (!(equity > 0)) return;
  // Orders that reduce positions come first, because their proceeds pay for the other orders.
  for (const move of moves.sort((one, other) => Number(other.reduces) - Number(one.reduces)))
    submit(turn, move, equity, state);
  for (const { symbol, from, to, weight } of entered) {
    if (from !== to) continue;
    const alone = !state.held.some((one) => one.symbol === symbol && one.from !== one.to);
    const type = 'market_on_close';
    if (alone) turn.orders.close({ symbol, type, validBars: 1 });
    else
      turn.orders.submit({
        action: weight > 0 ? 'sell' : 'buy',
        symbol,
        type,
        notional: cents(Math.abs(weight) * equity),
        validBars: 1,
      });
  }
}

/** Planned change of the position in one symbol. `money` is the amount to buy, negative to sell. */
interface Move {
  readonly symbol: string;
  readonly money: number;
  readonly reduces: boolean;
  /** True if the position is closed completely and no position is opened in the same symbol. */
  readonly closes: boolean;
}

function moveOf(
  { account }: BarContext,
  symbol: string,
  own: readonly Held[],
  ending: readonly Held[],
  entered: readonly Held[],
): Move {
  const exposure = account.position(symbol).exposure.toNumber();
  const units = account.units(symbol);
  const left = ending.reduce((sum, one) => sum + (one.units ?? 0), 0);
  const sold = units === 0 ? 0 : (exposure * left) / units;
  const bought = entered.reduce((sum, { weight }) => sum + weight, 0) * account.equity.toNumber();
  const money = bought - sold;
  return {
    symbol,
    money,
    reduces: money * exposure < 0,
    closes: entered.length === 0 && own.length === ending.length,
  };
}

function submit(
  { orders, account }: BarContext,
  { symbol, money, reduces, closes }: Move,
  equity: number,
  { lot, leverage }: PlanState,
): void {
  const position = account.position(symbol);
  const exposure = position.exposure.toNumber();
  if (closes) {
    if (account.units(symbol) !== 0) orders.close({ symbol });
    return;
  }
  const action = money > 0 ? 'buy' : 'sell';
  const isForeign = position.currency !== account.currency;
  const half = isForeign ? 0 : (lot / 2) * position.mark.toNumber() * position.multiplier.toNumber();
  const size = Math.abs(money) + half;
  if (reduces && size <= Math.abs(exposure)) {
    if (cents(size) > 0) orders.submit({ action, symbol, notional: cents(size), reduceOnly: true });
    return;
  }
  // `equityFraction` applies only to the quantity that opens a position, so the closed quantity is
  // subtracted.
  const share = (reduces ? size - Math.abs(exposure) : size) / equity;
  // The share is limited to the leverage. Entry costs reduce equity, so the planned share of a full position
  // can exceed the leverage.
  const opened = Math.min(leverage, Math.trunc(1e6 * share) / 1e6);
  if (opened > 0) orders.submit({ action, symbol, equityFraction: opened });
  else if (reduces) orders.close({ symbol });
}

/**
 * Assigns the units of a symbol to its open positions. New positions share the additional units in proportion
 * to their weights.
 */
function countUnits(own: readonly Held[], late: ReadonlySet<Held>, units: number): void {
  const known = knownUnits(own);
  const fresh = own.filter((one) => one.units === undefined);
  // Positions that lasted one bar (`gone`) were closed by an order at the close. The remaining units belong
  // to the positions that are still open.
  const [gone, open] = [fresh.filter((one) => late.has(one)), fresh.filter((one) => !late.has(one))];
  const rest = Math.abs(units - known) < ROUNDING ? 0 : units - known;
  const sharing = open.length > 0 ? open : gone;
  const weights = sharing.reduce((sum, { weight }) => sum + weight, 0);
  for (const one of fresh) one.units = 0;
  for (const one of sharing) one.units = weights === 0 ? 0 : (rest * one.weight) / weights;
  // A split changes units without an order. In this case the units of all positions are scaled.
  if (fresh.length > 0 || known === 0 || units === known) return;
  for (const one of own) one.units = (one.units! * units) / known;
}

function knownUnits(own: readonly Held[]): number {
  return own.reduce((sum, one) => sum + (one.units ?? 0), 0);
}

function cents(money: number): number {
  return Math.floor(100 * money) / 100;
}

/** Name that replaces the strategy `yardstick` in messages to threads, because functions cannot be sent. */
export const YARDSTICK = 'sandtable:study-yardstick';

/** Strategy with which studies compare their arms: a baseline, or an agent that trades a random plan. */
export const yardstick = defineStrategy({
  name: 'study-yardstick',
  summary: 'Buying and holding, equal weight, a moving average, momentum, or trades at random.',
  parameters: baselineTermsSchema.extend({
    kind: z.enum([...BASELINES, 'random']),
    plan: z.string().default('[]'),
    lot: z.coerce.number().default(0),
    leverage: z.coerce.number().default(1),
  }),
  state: ({ plan, lot, leverage }) => ({
    first: -1,
    held: '',
    planned: { plan: planSchema.parse(JSON.parse(plan)), lot, leverage, held: [] } as PlanState,
  }),
  onBar(turn, { parameters: { kind, ...terms }, state }) {
    if (kind === 'random') plannedBar(turn, state.planned);
    else baselineBar(turn, kind, terms, state);
  },
}) as Strategy;
