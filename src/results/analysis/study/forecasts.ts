import type { RunRecord } from '../../../journal/index.ts';
import { isObject } from '../../../kernel/index.ts';

/** Location and meaning of the probability in a decision's answer. */
export interface ForecastTerms {
  /** Path of the field with the probability in a decision's answer, such as `confidence` or `forecast.up`. */
  readonly field: string;
  /**
   * Event whose probability is stated. `up`: the close is higher after the horizon. `right`: the close has
   * moved in the direction of the decision's orders.
   */
  readonly states: 'up' | 'right';
  /** Number of bars from the decision to the bar whose close determines the outcome. */
  readonly horizon: number;
  /**
   * Symbol to which a single stated number refers. Used if `states` is `up` and several symbols are traded.
   */
  readonly symbol?: string | undefined;
}

/** Probability that a decision stated, and its outcome. */
export interface Forecast {
  /** Index of the decision's bar within the run. `came` is true if the stated event happened. */
  readonly at: number;
  readonly probability: number;
  readonly came: boolean;
}

/**
 * Returns the stated probabilities whose outcome is known. `unusable` counts answers without a probability
 * from 0 to 1.
 */
export function forecastsOf(
  record: RunRecord,
  terms: ForecastTerms,
): { readonly forecasts: Forecast[]; readonly unusable: number } {
  const places = new Map(record.bars.map(({ bar }, at) => [bar, at]));
  const { symbols } = record.started;
  const closeAt = (at: number, symbol: string): number | undefined =>
    record.bars[at]?.prices?.[symbols.indexOf(symbol)]?.[3];
  const sides = sidesOf(record);
  let unusable = 0;
  const forecasts = record.decisions.flatMap(({ bar, answer, text }) => {
    const at = places.get(bar);
    if (at === undefined) return [];
    const stated = probabilitiesOf(valueAt(answer ?? parsed(text), terms.field), symbols);
    const own = sides.get(bar);
    if (stated === undefined || (stated.size === 0 && needsForecast(terms, own))) {
      unusable += 1;
      return [];
    }
    const asked = stated.get('') === undefined ? stated : spread(stated.get('')!, terms, symbols, own);
    return [...asked].flatMap(([symbol, probability]): Forecast[] => {
      const [then, later] = [closeAt(at, symbol), closeAt(at + terms.horizon, symbol)];
      const direction = terms.states === 'up' ? 1 : Math.sign(own?.get(symbol) ?? 0);
      if (then === undefined || later === undefined || direction === 0) return [];
      return [{ at, probability, came: direction * (later - then) > 0 }];
    });
  });
  return { forecasts, unusable };
}

/**
 * Returns probabilities by symbol. A single number without a symbol has the empty key. The map is empty for
 * an object without a probability. `undefined` for any other value.
 */
function probabilitiesOf(value: unknown, symbols: readonly string[]): Map<string, number> | undefined {
  if (isProbability(value)) return new Map([['', value]]);
  if (!isObject(value)) return undefined;
  return new Map(
    Object.entries(value).filter(
      (entry): entry is [string, number] => symbols.includes(entry[0]) && isProbability(entry[1]),
    ),
  );
}

/**
 * True if an object without a probability is unusable. For `right`, a decision that traded no symbol makes no
 * forecast, so its object may be empty.
 */
function needsForecast({ states }: ForecastTerms, traded: ReadonlyMap<string, number> | undefined): boolean {
  return states === 'up' || [...(traded?.values() ?? [])].some((units) => units !== 0);
}

function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/**
 * Assigns a single stated probability to symbols. For `right`, the probability applies to each symbol that
 * the decision ordered. For `up`, it applies to `symbol`, or to the only symbol of the run.
 */
function spread(
  probability: number,
  { states, symbol }: ForecastTerms,
  symbols: readonly string[],
  ordered: ReadonlyMap<string, number> | undefined,
): Map<string, number> {
  if (states === 'right') return new Map([...(ordered?.keys() ?? [])].map((one) => [one, probability]));
  const meant = symbol ?? (symbols.length === 1 ? symbols[0] : undefined);
  return new Map(meant === undefined ? [] : [[meant, probability]]);
}

/**
 * Returns the net units that the orders of each decision traded, by bar of the decision and symbol: units
 * bought minus units sold.
 */
function sidesOf({ orders, fills }: RunRecord): Map<number, Map<string, number>> {
  const placed = new Map(
    orders.flatMap(({ orderId, bar, role }) => (role === undefined ? [[orderId, bar] as const] : [])),
  );
  const sides = new Map<number, Map<string, number>>();
  for (const { orderId, symbol, side, quantity } of fills) {
    const bar = placed.get(orderId);
    if (bar === undefined) continue;
    const own = sides.get(bar) ?? new Map<string, number>();
    own.set(symbol, (own.get(symbol) ?? 0) + (side === 'buy' ? 1 : -1) * Number(quantity));
    sides.set(bar, own);
  }
  return sides;
}

function valueAt(value: unknown, field: string): unknown {
  return field.split('.').reduce((at, name) => (isObject(at) ? at[name] : undefined), value);
}

/**
 * Parses the final text of an answer as JSON. `undefined` if the text is not JSON. External agents may answer
 * in JSON.
 */
function parsed(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
