import { AppError, DAY } from '../../kernel/index.ts';
import { type Column, monthOf, PRICE_COLUMNS, type Window } from '../../market/index.ts';
import type { BarContext } from '../decider.ts';
import type { BarEvent, BarValues } from '../events/events.ts';
import { type BarAmounts, type BarSource, NO_EXPOSURE } from './bar-amounts.ts';

/**
 * Bar event whose texts and prices are created only when they are read. Saves time in runs of which only the
 * metrics are needed, because metrics read few of these fields.
 */
export class LightBar implements BarEvent {
  readonly amounts: BarAmounts;
  readonly bar: number;
  declare readonly ambiguity?: NonNullable<BarEvent['ambiguity']>;
  declare readonly bounds?: NonNullable<BarEvent['bounds']>;

  constructor(amounts: BarAmounts, bar: number) {
    this.amounts = amounts;
    this.bar = bar;
  }

  get type(): 'bar' {
    return 'bar';
  }

  get source(): BarSource {
    return this.amounts.source;
  }

  get exposure(): number | null {
    const exposure = this.amounts.exposures[this.bar]!;
    return exposure === NO_EXPOSURE ? null : exposure;
  }

  get date(): string {
    return this.source.dateOf(this.bar);
  }

  get cash(): string {
    return this.source.cashText.of(this.amounts.cash(this.bar));
  }

  get equity(): string {
    const [cash, equity] = [this.amounts.cash(this.bar), this.amounts.equity(this.bar)];
    // Without a position, equity and cash are the same object, so the cached text of cash is used.
    return equity === cash ? this.cash : equity.toString();
  }

  get prices(): readonly (BarValues | null)[] {
    return this.source.pricesAt(this.bar);
  }

  /** Returns the event in the format of the journal. */
  toJSON(): BarEvent {
    const { type, bar, date, cash, equity, exposure, ambiguity, bounds, prices } = this;
    return {
      type,
      bar,
      date,
      cash,
      equity,
      exposure,
      ...(ambiguity === undefined ? {} : { ambiguity }),
      ...(bounds === undefined ? {} : { bounds }),
      prices,
    };
  }
}

/**
 * Returns the columns that contain the amounts of consecutive `LightBar` events. `undefined` for other
 * events.
 */
export function amountsOfBars(bars: readonly BarEvent[]): BarAmounts | undefined {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!(first instanceof LightBar && last instanceof LightBar) || first.amounts !== last.amounts)
    return undefined;
  return last.bar - first.bar === bars.length - 1 ? first.amounts : undefined;
}

/** Returns the bar data shared by consecutive `LightBar` events. `undefined` for other events. */
export function sourceOfBars(bars: readonly BarEvent[]): BarSource | undefined {
  return amountsOfBars(bars)?.source;
}

/** Returns a price or the volume of a symbol at a bar. `undefined` if the symbol has no bar there. */
export type PriceReader = (
  index: number,
  symbol: number,
  field: (typeof PRICE_COLUMNS)[number],
) => number | undefined;

/**
 * Returns a function that reads the prices of consecutive bars. Light bars are read from the columns of their
 * market, because each access to `prices` creates an array for every symbol.
 */
export function priceReader(bars: readonly BarEvent[]): PriceReader {
  const source = sourceOfBars(bars);
  if (source === undefined)
    return (index, symbol, field) => bars[index]?.prices?.[symbol]?.[PRICE_COLUMNS.indexOf(field)];
  const first = bars[0]!.bar;
  return (index, symbol, field) => {
    if (index < 0 || index >= bars.length) return undefined;
    const row = source.rowOf(first + index, symbol);
    // The addition converts a volume of -0 to 0, as in the text of the journal.
    return row === undefined ? undefined : source.market.series[symbol]![field][row]! + 0;
  };
}

/** Returns a bar's equity as the float64 nearest to its text. */
export function equityNumberOf(bar: BarEvent): number {
  return bar instanceof LightBar ? bar.amounts.equityNumber(bar.bar) : Number(bar.equity);
}

/** Value that can be compared in `crossedAbove` and `crossedBelow`: a column, an indicator or a constant. */
export type Level = number | Pick<Column, 'last' | 'at'>;

/**
 * Returns true if `first` is above `second` now and was not above `second` at the previous bar. `NaN` never
 * crosses.
 */
export function crossedAbove(first: Level, second: Level): boolean {
  return newest(first) > newest(second) && before(first) <= before(second);
}

/**
 * Returns true if `first` is below `second` now and was not below `second` at the previous bar. `NaN` never
 * crosses.
 */
export function crossedBelow(first: Level, second: Level): boolean {
  return newest(first) < newest(second) && before(first) >= before(second);
}

function newest(level: Level): number {
  return typeof level === 'number' ? level : level.last;
}

function before(level: Level): number {
  return typeof level === 'number' ? level : level.at(-2);
}

/**
 * Returns true if a symbol has its first bar of a month at the current time. Months are those of sessions if
 * the run has any, otherwise of UTC. The first bar of the data counts.
 *
 * @throws AppError `lookback_too_short`
 */
export function isFirstBarOfMonth(window: Window): boolean {
  return beginsGroup(window, (day) => monthOf(day * DAY));
}

/**
 * Returns true if a symbol has its first bar of a session at the current time: of a day in UTC if the run has
 * no sessions. The first bar of the data counts.
 *
 * @throws AppError `lookback_too_short`
 */
export function isFirstBarOfSession(window: Window): boolean {
  return beginsGroup(window, (day) => day);
}

function beginsGroup(window: Window, groupOf: (day: number) => number): boolean {
  const { time, length, revealed, isStale, sessions } = window;
  if (isStale || length === 0) return false;
  if (revealed === 1) return true;
  if (length < 2)
    throw new AppError({
      code: 'lookback_too_short',
      message: 'The first bar of a month or session needs two bars. The look-back of this run is 1.',
      hint: 'Set the look-back (--lookback) to 2 or more.',
      kind: 'run',
    });
  const groupAt = (index: number): number => {
    const instant = time.at(index);
    return groupOf(sessions === undefined ? Math.floor(instant / DAY) : sessions.of(instant).day);
  };
  return groupAt(-1) !== groupAt(-2);
}

/**
 * Returns the number of bars, on the market's clock, since the fill that opened a position or changed its
 * side. 0 on the bar of this fill, `NaN` when flat.
 *
 * @param symbol default: the first symbol
 */
export function barsSinceEntry(
  { bar, account, symbols }: Pick<BarContext, 'bar' | 'account' | 'symbols'>,
  symbol = symbols[0]!,
): number {
  return bar - (account.position(symbol).entryBar ?? Number.NaN);
}
