import { ACCOUNT_CURRENCY, isJsonObject, type Json } from '../../../engine/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import type { StoredRun } from '../read-run.ts';

/** Similarity of the trades of two runs. */
export interface TradeOverlap {
  /**
   * Number of this run's trades that the other run also made. Trades are equal if symbol, side and entry time
   * are equal.
   */
  readonly sharedEntries: number;
  /** `sharedEntries` divided by the number of this run's trades. `null` without trades. */
  readonly share: number | null;
  /**
   * Share of the common bars (bars of both runs) at which the runs had equal positions: the same symbols on
   * the same sides, or no positions. `null` without common bars.
   */
  readonly sameSide: number | null;
  /**
   * Similarity of position sizes, from 0 to 1. Numerator: sum of the smaller exposure of the two runs, at
   * common bars with the same positions. Denominator: sum of the larger exposure, at all common bars. `null`
   * if neither run had a position, or if the equity of a run was not positive.
   */
  readonly sameSize: number | null;
}

type Held = RunRecord['trades'][number] | RunRecord['openTrades'][number];

/** Compares the trades of two runs, open trades included. */
export function tradeOverlap(own: RunRecord, other: RunRecord): TradeOverlap {
  const entries = tradesOf(own).map(entryOf);
  const theirs = new Set(tradesOf(other).map(entryOf));
  const shared = entries.filter((entry) => theirs.has(entry)).length;
  const [mine, others] = [positionsOf(own), positionsOf(other)];
  let [common, alike, both, larger] = [0, 0, 0, 0];
  for (const [date, one] of mine) {
    const two = others.get(date);
    if (two === undefined) continue;
    const isAlike = one.held === two.held;
    common += 1;
    alike += Number(isAlike);
    const sizes = [Math.abs(one.exposure), Math.abs(two.exposure)];
    if (isAlike) both += Math.min(...sizes);
    larger += Math.max(...sizes);
  }
  return {
    sharedEntries: shared,
    share: entries.length === 0 ? null : shared / entries.length,
    sameSide: common === 0 ? null : alike / common,
    sameSize: larger > 0 ? both / larger : null,
  };
}

function tradesOf({ trades, openTrades }: RunRecord): Held[] {
  return [...trades, ...openTrades];
}

function entryOf({ symbol, side, entryTime }: Held): string {
  return `${symbol} ${side} ${entryTime}`;
}

/** Positions by bar time: symbols with their side at the close, and exposure as a share of equity. */
type Positions = ReadonlyMap<string, { readonly held: string; readonly exposure: number }>;

/** Cache by run, because a run is compared with many other runs. */
const known = new WeakMap<RunRecord, Positions>();

function positionsOf(record: RunRecord): Positions {
  const positions = known.get(record) ?? readPositions(record);
  known.set(record, positions);
  return positions;
}

function readPositions(record: RunRecord): Positions {
  const trades = tradesOf(record).sort((one, other) => (one.entryTime < other.entryTime ? -1 : 1));
  const open = new Set<Held>();
  let [next, held] = [0, ''];
  return new Map(
    record.bars.map(({ date, exposure }) => {
      let isChanged = false;
      for (; next < trades.length && trades[next]!.entryTime <= date; next++) {
        open.add(trades[next]!);
        isChanged = true;
      }
      for (const trade of open) {
        if (!('exitTime' in trade) || trade.exitTime > date) continue;
        open.delete(trade);
        isChanged = true;
      }
      if (isChanged)
        held = [...new Set([...open].map(({ symbol, side }) => `${symbol} ${side}`))].sort().join();
      return [date, { held, exposure: exposure ?? Number.NaN }];
    }),
  );
}

/** Inputs of a run by name: strategy, symbols, parameters and settings, as JSON values. */
type Facts = ReadonlyMap<string, Json>;

/**
 * Parameter or setting that differs between runs. `values` has one value per run, in the order of the runs.
 */
export interface Difference {
  readonly name: string;
  readonly values: readonly (Json | undefined)[];
}

/** Returns all inputs of a run except its data and period. */
function factsOf({ record }: StoredRun): Facts {
  const { strategy, settings, symbols } = record.started;
  return new Map<string, Json>([
    ['strategy', strategy.name],
    ['symbols', symbols],
    ...named('parameter', strategy.parameters),
    ...named('setting', tradingSettings(settings)),
  ]);
}

function named(kind: string, values: Json): [string, Json][] {
  return Object.entries(settingsOf(values)).map(([name, value]) => [`${kind} ${name}`, value]);
}

export function settingsThatDiffer(stored: readonly StoredRun[]): Difference[] {
  const facts = stored.map(factsOf);
  const names = new Set(facts.flatMap((fact) => [...fact.keys()]));
  return [...names]
    .map((name) => ({ name, values: facts.map((fact) => fact.get(name)) }))
    .filter(({ values }) => new Set(values.map((value) => JSON.stringify(value) ?? '')).size > 1);
}

/**
 * Returns the inputs of a run as a flat map. The keys are the names that users know, such as `fast` or
 * `risk.maxDrawdown`.
 */
export function flatFacts({ record }: StoredRun): ReadonlyMap<string, string> {
  const { strategy, settings } = record.started;
  const models = [...new Set(record.models.map(({ model }) => model))];
  return flatFactsOf({ parameters: strategy.parameters, models, settings: tradingSettings(settings) });
}

/**
 * Returns the inputs of a run as a flat map, as `flatFacts` does. Takes the content of a manifest or of the
 * first line of a journal instead of a stored run.
 */
export function flatFactsOf(made: {
  readonly parameters: Json;
  readonly models: readonly string[];
  readonly settings: Json;
}): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, value: Json): void => {
    if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
    } else found.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  };
  for (const [name, value] of Object.entries(settingsOf(made.parameters))) add(name, value);
  if (made.models.length > 0) add('model', made.models.join(' and '));
  for (const [name, value] of Object.entries(settingsOf(made.settings))) add(name, value);
  return found;
}

/** Defaults of settings that a journal omits. */
const UNNAMED: Readonly<Record<string, Json>> = { currency: ACCOUNT_CURRENCY, mark: 'close' };

/** Returns the settings of a run, with defaults for omitted settings. */
export function tradingSettings(settings: Json): Readonly<Record<string, Json>> {
  return { ...UNNAMED, ...settingsOf(settings) };
}

/** Returns the currency of a run's account. */
export function currencyOf({ record }: StoredRun): string {
  return String(tradingSettings(record.started.settings).currency);
}

export function settingsOf(settings: Json): Readonly<Record<string, Json>> {
  return isJsonObject(settings) ? settings : {};
}

/** Run with the same data, trades and equity on every bar as an earlier run. */
export interface Duplicate {
  /** Index of the run among the compared runs. */
  readonly run: number;
  /** Index of the first run with the same result. */
  readonly of: number;
  /** True if the runs also have the same strategy, parameters, settings and data, and no model was used. */
  readonly isSameRun: boolean;
}

/** Returns the runs with the same equity and trades as an earlier run on the same data. */
export function duplicatesOf(stored: readonly StoredRun[]): Duplicate[] {
  const first = new Map<string, number>();
  return stored.flatMap((run, place) => {
    const key = resultKey(run);
    const of = first.get(key);
    if (of === undefined) {
      first.set(key, place);
      return [];
    }
    return [
      { run: place, of, isSameRun: run.record.models.length === 0 && madeOf(run) === madeOf(stored[of]!) },
    ];
  });
}

function resultKey(run: StoredRun): string {
  const { record } = run;
  const bars = record.bars.map(({ date, equity }) => `${date} ${equity}`).join();
  const trades = record.trades.map(({ symbol, side, quantity, entryTime }) =>
    [symbol, side, quantity, entryTime].join(' '),
  );
  return JSON.stringify([record.started.data, currencyOf(run), bars, trades]);
}

function madeOf(run: StoredRun): string {
  const { strategy, data } = run.record.started;
  return JSON.stringify([strategy.name, [...flatFacts(run)], data, run.manifest?.strategy ?? null]);
}
