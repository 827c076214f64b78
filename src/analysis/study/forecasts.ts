import type { RunRecord } from '../../journal/index.ts';
import { isObject } from '../../kernel/index.ts';

/** Where decisions state a probability, and of what. */
export interface ForecastTerms {
  /** Place in a decision's answer, such as `confidence` or `forecast.up`. */
  readonly field: string;
  /** `up`: that the close is higher after the horizon; `right`: that it is where the decision's orders went. */
  readonly states: 'up' | 'right';
  /** In bars. */
  readonly horizon: number;
  /** What `up` is of, where a single number is stated and several symbols are traded. */
  readonly symbol?: string | undefined;
}

/** A stated probability and what came of it. */
export interface Forecast {
  /** Place among the bars of the run. */
  readonly at: number;
  readonly probability: number;
  readonly came: boolean;
}

/** The probabilities that decisions stated, of those whose outcome is known; `unusable` counts answers without one from 0 to 1. */
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
    const stated = probabilitiesOf(valueAt(answer ?? parsed(text), terms.field), terms, symbols);
    if (stated === undefined) {
      unusable += 1;
      return [];
    }
    const own = sides.get(bar);
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

/** By symbol; by no symbol where one number is stated for all. Undefined where there is no probability. */
function probabilitiesOf(
  value: unknown,
  { states }: ForecastTerms,
  symbols: readonly string[],
): Map<string, number> | undefined {
  if (isProbability(value)) return new Map([['', value]]);
  if (!isObject(value)) return undefined;
  const own = Object.entries(value).filter(
    (entry): entry is [string, number] => symbols.includes(entry[0]) && isProbability(entry[1]),
  );
  return own.length === 0 && states === 'up' ? undefined : new Map(own);
}

function isProbability(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** One number for all: of the symbol that is meant, or of each that was ordered. */
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

/** By the bar of a decision, what its orders came to of each symbol: units bought less units sold. */
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

/** What an agent of the user's own ends a decision with may be JSON. */
function parsed(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
