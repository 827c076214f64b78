import type { Contract } from './account.ts';
import type { SoFar } from './costs.ts';
import { larger, Rational, smaller, ZERO } from './rational.ts';
import type { Ask, Bar, Exit, Side, Terms } from './types.ts';

/** An order that rests. Its asked amounts stay as they were written; they become fractions when they are needed. */
export interface RestingOrder {
  readonly id: number;
  readonly ask: Ask;
  readonly symbol: string;
  readonly placedBar: number;
  /** Bars of its symbol it has rested through. */
  bars: number;
  /** What it was charged for what has filled; undefined before its first fill. */
  soFar?: SoFar;
  /** Units filled so far. */
  filled: Rational;
  /** The same units as they were charged: a split changes what has filled, not what was paid for. */
  billed: Rational;
  /** Value of those units at their prices, in the instrument's currency. */
  value: Rational;
  /** Commission charged so far. */
  charged: Rational;
  /** Notional of the run before its first fill. */
  tradedBefore?: Rational;
  /** What an order by amount of money came to at its first fill, in units: what is left of it is left of this. */
  sized?: Rational;
  /** The side of an order that has filled in part. */
  side?: Side;
  /** Id of the first order of this entry: a replacement continues the entry of the order it replaces. */
  entry: number;
  /** Price of the first fill that opened. */
  opened?: Rational;
  /** Of a trail: the stop in force; none while it sleeps. */
  level?: Rational;
  /** Units that a target may fill altogether. */
  portion?: Rational;
  /** The stop was touched before: a stop-limit rests as a limit, what is left of a stop is a market order. */
  triggered: boolean;
  /** Of an exit: the order whose position it closes. */
  readonly exit?: {
    readonly parent: number;
    readonly kind: 'stop-loss' | 'take-profit';
    readonly target?: number;
  };
  readonly liquidation?: true;
  /** New units for one old one, since it was placed. */
  readonly splitBy?: Rational;
}

/** What tells an order from others on every path: an exit has another number on another path. */
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

/** What units of the symbols stand for. */
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

/** Triggered where a limit would fill. */
export const isTouch = (order: Pick<RestingOrder, 'ask'>): boolean =>
  typeOf(order) === 'market_if_touched' || typeOf(order) === 'limit_if_touched';

/** A limit order from its trigger on. */
export const turnsLimit = (order: Pick<RestingOrder, 'ask'>): boolean =>
  ['stop_limit', 'limit_if_touched', 'trailing_stop_limit'].includes(typeOf(order));

/** A limit on the tick, never worse than asked. */
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

/** A stop on the tick, rounded against the trader; a trailing one is where it trailed to. */
export function stopOf(order: RestingOrder, side: Side, tick: Rational | undefined): Rational {
  const stop = order.level ?? Rational.of(order.ask.stopPrice ?? 0);
  if (tick === undefined || order.level !== undefined) return stop;
  return (side === 'buy') !== isTouch(order) ? stop.upTo(tick) : stop.downTo(tick);
}

/** Whether a price wakes a trail that waits for one. */
export function isWoken({ ask }: Pick<RestingOrder, 'ask'>, side: Side, price: Rational): boolean {
  const { activationPrice } = ask;
  if (activationPrice === undefined) return true;
  const at = Rational.of(activationPrice);
  return side === 'sell' ? !price.isBelow(at) : !price.isAbove(at);
}

/** The level of a trailing stop from a price: below it for a seller, above it for a buyer. */
export function trailFrom(order: Pick<RestingOrder, 'ask'>, side: Side, price: Rational): Rational {
  const { trailAmount, trailFraction } = order.ask;
  const distance =
    trailAmount === undefined ? price.times(Rational.of(trailFraction ?? 0)) : Rational.of(trailAmount);
  return side === 'sell' ? price.minus(distance) : price.plus(distance);
}

const PLACE = Rational.of('0.0000000001');
const HALF_PLACE = Rational.of('0.00000000005');

/**
 * Where an exit lies.
 *
 * @param away −1 for below the fill, 1 for above it
 * @param range gives the average true range
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
  // A distance in ranges is kept to ten decimal places.
  const distance = average.times(Rational.of(exit.atr)).plus(HALF_PLACE).downTo(PLACE);
  return fill.plus(distance.times(direction));
}

/** Wilder's average true range of bars up to and with the last one given, begun with the mean of the first ranges. */
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
