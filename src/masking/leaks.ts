import type { MaskTerms, RunSettingsInput } from '../engine/index.ts';
import { AppError, DAY, formatInstant, type Instant, parseInstant } from '../kernel/index.ts';
import {
  BarBounds,
  type BarSeries,
  type BarTimes,
  type FeatureTable,
  KnownAt,
  keepInterval,
  type Market,
  mapColumns,
  type PointInTimeData,
  type Stamp,
  trusted,
} from '../market/index.ts';
import { type MaskView, maskView, shownDay } from './mask-view.ts';

const CANARY_BARS = 3;
const CANARY_STEP = 7 * DAY;

/**
 * Price and volume of canary bars: fake bars after the end of the data. A correct run never reads these bars,
 * so this number in an output proves that the run used future data.
 */
export const CANARY_VALUE = 91_827_364_509;

/**
 * Adds canary bars after the last bar of the market. The run ends before the canary bars, so an output with
 * their values has used future data.
 */
export function withCanary(market: Market): Market {
  return trusted({ ...market, series: canarySeries(market.series, market) });
}

/**
 * Adds a canary row (a row with `CANARY_VALUE`) to each feature table. The row would become visible only
 * after the end of the run.
 */
export function canaryFeatures(tables: readonly FeatureTable[], { clock }: Market): FeatureTable[] {
  const stamp = { instant: (clock.at(-1) ?? 0) + (CANARY_BARS + 1) * CANARY_STEP, wholeDay: false };
  return tables.map((table) => ({
    ...table,
    dates: [...table.dates, stamp],
    known: [...table.known, stamp],
    symbols: table.symbols === undefined ? undefined : [...table.symbols, ''],
    columns: table.columns.map((column) => ({
      ...column,
      values: [
        ...column.values,
        column.type === 'number' ? CANARY_VALUE : column.type === 'text' ? String(CANARY_VALUE) : null,
      ],
    })),
  }));
}

/**
 * Adds a canary document about all symbols, if the data contain documents. Adds a canary figure for each
 * symbol, if the data contain fundamentals. Both contain `CANARY_VALUE` and would become visible only after
 * the end of the run.
 */
export function canaryPointInTime(given: PointInTimeData, { clock, symbols }: Market): PointInTimeData {
  const { documents, fundamentals } = given;
  const text = String(CANARY_VALUE);
  const instant = (clock.at(-1) ?? 0) + (CANARY_BARS + 1) * CANARY_STEP;
  const known = { instant, wholeDay: false };
  const [field = ''] = fundamentals.map((row) => row.field);
  return {
    ...given,
    documents:
      documents.length === 0
        ? documents
        : [
            ...documents,
            { id: text, known, symbols, source: text, kind: text, title: text, text, where: 'the canary' },
          ],
    fundamentals:
      fundamentals.length === 0
        ? fundamentals
        : [
            ...fundamentals,
            ...symbols.map((symbol) => ({ symbol, field, periodEnd: instant, known, value: CANARY_VALUE })),
          ],
  };
}

/**
 * Adds canary bars to series, for example to those of exchange rates.
 *
 * @param market market of the run. The canary bars begin after its last bar, or after the last bar of the
 *   series if that is later
 */
export function canarySeries(series: readonly BarSeries[], { clock }: Market): BarSeries[] {
  return series.map((one) => {
    const last = Math.max(clock.at(-1) ?? 0, one.time.at(-1) ?? 0);
    return {
      ...mapColumns(keepInterval(one), (column) => {
        // Canary bars get no element in `ends`. A missing end counts as infinite, so these bars never become
        // visible.
        if (column === one.ends) return column;
        const longer = new Float64Array(column.length + CANARY_BARS).fill(CANARY_VALUE);
        longer.set(column);
        if (column === one.time) {
          for (let bar = 0; bar < CANARY_BARS; bar++)
            longer[column.length + bar] = last + (bar + 1) * CANARY_STEP;
        }
        return longer;
      }),
      symbol: one.symbol,
    };
  });
}

/** Minimum number of characters of a name that is replaced in texts. Shorter names may be ordinary words. */
const SHORTEST_NAME = 3;
/** Default currency of the account. */
const ACCOUNT = 'USD';
export const DATE = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g;

/**
 * Throws if a request to a model contains the value of canary bars. Such a request contains future data.
 *
 * @throws AppError `canary_seen`
 */
export function checkCanary(request: string): void {
  const seen = CANARY.exec(request);
  if (seen === null) return;
  throw new AppError({
    code: 'canary_seen',
    message: `A request to the model contains ${seen[0]}, a value from after the current bar (look-ahead).`,
    hint: 'Do not trust the results of this strategy. Report a bug, unless the strategy writes the value itself.',
    kind: 'run',
  });
}

/** Matches the canary value in digits, with or without separators, or in scientific notation. */
const CANARY = canaryPattern(CANARY_VALUE);

function canaryPattern(value: number): RegExp {
  const digits = String(value);
  const grouped = value.toLocaleString('en-US').replaceAll(',', '[,_]?');
  return new RegExp(`${grouped}|${digits[0]}\\.${digits.slice(1)}e`, 'i');
}

/**
 * Returns a function that masks texts that contain real names and dates: prompts, descriptions of tools, an
 * agent's initial files. Replaces real symbols, names of DataFrames such as `df_aapl`, currencies, and dates
 * such as 2020-03-31.
 */
export function textMasker(mask: MaskTerms): (text: string) => string {
  const hidden = hiddenNames(mask);
  const view = maskView(mask);
  const words = [...hidden.keys()].sort((one, other) => other.length - one.length).map(escaped);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
  return (text) => {
    const renamed = words.length === 0 ? text : text.replaceAll(pattern, (word) => hidden.get(word) ?? word);
    if (mask.calendar === undefined) return renamed;
    return renamed.replaceAll(DATE, (date) => {
      const instant = parseInstant(date);
      return instant === undefined ? date : formatInstant(shownDay(instant, view));
    });
  };
}

/** Symbols in the examples of tool manuals. They are the same in every run. */
const EXAMPLES = /\b(?:AAPL|MSFT)\b/g;

/**
 * Returns a function that replaces the example symbols in tool manuals with masked names. The replacement
 * depends only on the masked names.
 *
 * `textMasker` must not be used for manuals. Their original text is public, so a comparison with the masked
 * text would reveal which names and dates were replaced.
 */
export function exampleMasker({ kinds, symbols }: MaskTerms): (text: string) => string {
  if (!kinds.includes('symbols')) return (text) => text;
  const [first = 'S1', second = first] = Object.keys(symbols);
  return (text) => text.replaceAll(EXAMPLES, (name) => (name === 'AAPL' ? first : second));
}

/** Returns all names that the mask replaces: masked name by real name. */
export function hiddenNames(mask: MaskTerms): Map<string, string> {
  const hidden = new Map<string, string>();
  const hide = (real: string, name: string): void => {
    if (name !== real && real.length >= SHORTEST_NAME) hidden.set(real, name);
  };
  const account = mask.account ?? { name: ACCOUNT, real: ACCOUNT };
  hide(account.real, account.name);
  for (const [name, { real }] of Object.entries(mask.currencies ?? {})) {
    hide(real, name);
    // Common names of the exchange rate between the foreign currency and the account's currency, such as
    // EURUSD.
    hide(`${real}${account.real}`, `${name}${account.name}`);
    hide(`${account.real}${real}`, `${account.name}${name}`);
  }
  for (const [name, real] of Object.entries(mask.symbols)) {
    if (name === real || real.length < SHORTEST_NAME) continue;
    hidden.set(real, name);
    hidden.set(`df_${columnName(real)}`, `df_${columnName(name)}`);
  }
  for (const [name, other] of otherNames(mask)) hidden.set(other, name);
  return hidden;
}

/**
 * Returns alternative names of symbols, for example company names, with the masked name that replaces each of
 * them. The names come from the setting `instruments.<symbol>.names`. Empty for symbols that are not masked.
 */
export function otherNames(mask: MaskTerms): readonly (readonly [name: string, other: string])[] {
  const { instruments = {} } = mask.settings as Pick<RunSettingsInput, 'instruments'>;
  return Object.entries(mask.symbols).flatMap(([name, real]) => {
    const { names = [] } = (Object.hasOwn(instruments, real) ? instruments[real] : undefined) ?? {};
    return name === real ? [] : names.map((other) => [name, other] as const);
  });
}

/** Returns the name of a symbol's DataFrame in Python, without the prefix `df_`. */
function columnName(symbol: string): string {
  return symbol.toLowerCase().replaceAll(/[^a-z0-9]/g, '_');
}

/** Escapes a text for use in a regular expression. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Market and settings that determine when data becomes visible. */
export interface GivenClock {
  readonly market: Pick<Market, 'clock' | 'interval'>;
  readonly settings: { readonly barTimes: BarTimes };
}

/**
 * Returns a function that converts the time at which a row becomes visible to the masked calendar. The end of
 * each real bar becomes the end of the masked bar, so the row becomes visible at the same bar.
 */
export function stampMover({ market, settings }: GivenClock, view: MaskView): (known: Stamp) => Stamp {
  if (view.calendar === undefined) return (known) => known;
  const knownAt = new KnownAt(market, new BarBounds(market, settings.barTimes), settings.barTimes);
  return (known) => ({ instant: view.shown(knownAt.ofStamp(known), 'ends'), wholeDay: false });
}

/**
 * Returns a function that converts a feature table to the masked calendar: the dates of its rows, and the
 * times at which the rows become visible.
 */
export function rowMover(
  { market, settings }: GivenClock,
  view: MaskView,
): (table: FeatureTable) => FeatureTable {
  if (view.calendar === undefined) return (table) => table;
  const knownAt = new KnownAt(market, new BarBounds(market, settings.barTimes), settings.barTimes);
  const dateOf = ({ instant, wholeDay }: Stamp): Stamp => ({
    instant: dayOrTime(instant, wholeDay, view),
    wholeDay,
  });
  return ({ lag, ...table }) => ({
    ...table,
    dates: table.dates.map(dateOf),
    known: table.dates.map((_, row) => ({
      instant: view.shown(knownAt.of(lag === undefined ? table : { ...table, lag }, row), 'ends'),
      wholeDay: false,
    })),
  });
}

function dayOrTime(instant: Instant, wholeDay: boolean, view: MaskView): Instant {
  return wholeDay && instant % DAY === 0 ? shownDay(instant, view) : view.shown(instant);
}
