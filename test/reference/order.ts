import type { Contract } from './account.ts';
import { larger, Rational, smaller, ZERO } from './rational.ts';
import type { Ask, Bar, Exit, Side, Terms } from './types.ts';

/** Resting order. The amounts in `ask` remain as written and are converted to fractions when needed. */
export interface RestingOrder {
  readonly id: number;
  readonly ask: Ask;
  readonly symbol: string;
  readonly placedBar: number;
  /** Number of bars in which the order could have filled so far. */
  bars: number;
  /** Units filled so far. */
  filled: Rational;
  /**
   * Filled units, not adjusted for splits after the fill. Commissions are calculated from these units, so a
   * later split must not change them.
   */
  billed: Rational;
  /** Value of the filled units at their fill prices, in the instrument's currency. */
  value: Rational;
  /** Commission charged so far, in the instrument's currency. */
  charged: Rational;
  /** Notional that the run had traded before the first fill of this order. `undefined` before this fill. */
  tradedBefore?: Rational;
  /**
   * Total size in units, known from the first fill on. The unfilled rest is calculated from it, even if the
   * order was given as an amount of money.
   */
  sized?: Rational;
  /** Side of a partly filled order. `undefined` before the first fill. */
  side?: Side;
  /** Id of the first order of an entry. A replacement has the same `entry` as the order that it replaces. */
  entry: number;
  /** Price of the first fill that opened units. `undefined` before it. */
  opened?: Rational;
  /** Current stop price of a trailing stop. `undefined` before the trailing stop is activated. */
  level?: Rational;
  /** Total number of units that one of several take profits may close. */
  portion?: Rational;
  /**
   * True after the stop price was reached. A stop-limit order then rests as a limit order, and the rest of a
   * stop order is a market order.
   */
  triggered: boolean;
  /**
   * Only for exits: id of the order whose position is closed, kind of exit, and index among several take
   * profits.
   */
  readonly exit?: {
    readonly parent: number;
    readonly kind: 'stop-loss' | 'take-profit';
    readonly target?: number;
  };
  readonly liquidation?: true;
  /** Product of the split ratios (new units per old unit) since the order was placed. */
  readonly splitBy?: Rational;
}

/** Returns an identifier that is equal on all price paths. The ids of exits differ between paths. */
export const identityOf = ({ id, exit }: RestingOrder): string =>
  exit === undefined ? String(id) : `${exit.kind} ${exit.target ?? ''} of ${exit.parent}`;

export interface Instrument {
  readonly lot: Rational;
  readonly tick: Rational | undefined;
  readonly minimumNotional: Rational;
}

export function instrumentOf(symbol: string, terms: Terms): Instrument {
  const own = terms.instruments?.[symbol] ?? {};
  const tick = own.tick ?? terms.tick;
  return {
    lot: Rational.of(own.lot ?? terms.lot ?? 1),
    tick: tick === undefined ? undefined : Rational.of(tick),
    minimumNotional: Rational.of(own.minimumNotional ?? 0),
  };
}

/** Returns the contract terms of the instruments, by symbol. */
export function contractsOf({ instruments = {} }: Terms): ReadonlyMap<string, Contract> {
  return new Map(
    Object.entries(instruments).map(([symbol, { multiplier = 1, margin, maintenanceMargin, leverage }]) => [
      symbol,
      {
        point: Rational.of(multiplier),
        ...(margin === undefined
          ? {}
          : {
              margin: Rational.of(margin),
              maintenance:
                maintenanceMargin === undefined
                  ? Rational.of(margin).over(TWO)
                  : Rational.of(maintenanceMargin),
            }),
        ...(leverage === undefined ? {} : { leverage: Rational.of(leverage) }),
      },
    ]),
  );
}

const TWO = Rational.of(2);

export const typeOf = (order: Pick<RestingOrder, 'ask'>): NonNullable<Ask['type']> =>
  order.ask.type ?? 'market';

export const isTrail = (order: Pick<RestingOrder, 'ask'>): boolean =>
  typeOf(order) === 'trailing_stop' || typeOf(order) === 'trailing_stop_limit';

/** Returns true for orders that are triggered at prices at which a limit order would fill. */
export const isTouch = (order: Pick<RestingOrder, 'ask'>): boolean =>
  typeOf(order) === 'market_if_touched' || typeOf(order) === 'limit_if_touched';

/** Returns true for orders that become limit orders when they are triggered. */
export const turnsLimit = (order: Pick<RestingOrder, 'ask'>): boolean =>
  ['stop_limit', 'limit_if_touched', 'trailing_stop_limit'].includes(typeOf(order));

/** Returns the limit price, rounded to the tick so that it is never worse than requested. */
export function limitOf(order: RestingOrder, side: Side, tick: Rational | undefined): Rational {
  const { limitOffset } = order.ask;
  const distance = Rational.of(limitOffset ?? 0);
  const asked =
    limitOffset === undefined
      ? Rational.of(order.ask.limitPrice ?? 0)
      : side === 'buy'
        ? (order.level ?? ZERO).plus(distance)
        : (order.level ?? ZERO).minus(distance);
  if (tick === undefined) return asked;
  return side === 'buy' ? asked.downTo(tick) : asked.upTo(tick);
}

/**
 * Returns the stop price, rounded to the tick against the trader. For a trailing stop, returns its current
 * level.
 */
export function stopOf(order: RestingOrder, side: Side, tick: Rational | undefined): Rational {
  const stop = order.level ?? Rational.of(order.ask.stopPrice ?? 0);
  if (tick === undefined || order.level !== undefined) return stop;
  return (side === 'buy') !== isTouch(order) ? stop.upTo(tick) : stop.downTo(tick);
}

/**
 * Returns true if a price activates a trailing stop. A trailing stop without `activationPrice` is always
 * active.
 */
export function isWoken({ ask }: Pick<RestingOrder, 'ask'>, side: Side, price: Rational): boolean {
  const { activationPrice } = ask;
  if (activationPrice === undefined) return true;
  const at = Rational.of(activationPrice);
  return side === 'sell' ? !price.isBelow(at) : !price.isAbove(at);
}

/**
 * Returns the level of a trailing stop for a price: below the price for a sell order, above it for a buy
 * order.
 */
export function trailFrom(order: Pick<RestingOrder, 'ask'>, side: Side, price: Rational): Rational {
  const { trailAmount, trailFraction } = order.ask;
  const distance =
    trailAmount === undefined ? price.times(Rational.of(trailFraction ?? 0)) : Rational.of(trailAmount);
  return side === 'sell' ? price.minus(distance) : price.plus(distance);
}

const PLACE = Rational.of('0.0000000001');
const HALF_PLACE = Rational.of('0.00000000005');

/**
 * Returns the price of an exit. `undefined` if the average true range is not known.
 *
 * @param away −1 for an exit below the fill price, 1 for an exit above it
 * @param range returns the average true range over a number of bars
 */
export function exitPrice(
  exit: Exit,
  fill: Rational,
  away: number,
  range: (length: number) => Rational | undefined,
): Rational | undefined {
  if (typeof exit !== 'object') return Rational.of(exit);
  if ('price' in exit) return Rational.of(exit.price);
  const direction = new Rational(BigInt(away));
  if ('distance' in exit) return fill.plus(Rational.of(exit.distance).times(direction));
  if ('fraction' in exit) return fill.plus(fill.times(Rational.of(exit.fraction)).times(direction));
  const average = range(exit.length ?? 14);
  if (average === undefined) return undefined;
  // A distance in multiples of the average true range is rounded to ten decimal places.
  const distance = average.times(Rational.of(exit.atr)).plus(HALF_PLACE).downTo(PLACE);
  return fill.plus(distance.times(direction));
}

/**
 * Returns Wilder's average true range at the last of the given bars. The average begins with the mean of the
 * first `length` ranges. `undefined` if there are too few bars.
 */
export function averageTrueRange(bars: readonly Bar[], length: number): Rational | undefined {
  if (bars.length <= length) return undefined;
  const whole = Rational.of(length);
  let average = ZERO;
  for (let index = 1; index < bars.length; index++) {
    const { close: before } = bars[index - 1]!;
    const { high, low } = bars[index]!;
    const range = larger(high, before).minus(smaller(low, before));
    average = average.plus((index <= length ? range : range.minus(average)).over(whole));
  }
  return average;
}
