import { AppError, DAY } from '../../kernel/index.ts';
import { type Column, monthOf, type Window } from '../../market/index.ts';
import type { BarContext } from '../decider.ts';

/** Column, indicator or constant level. */
export type Level = number | Pick<Column, 'last' | 'at'>;

/** Returns true if `first` is above `second` now and was not at the bar before. `NaN` never crosses. */
export function crossedAbove(first: Level, second: Level): boolean {
  return newest(first) > newest(second) && before(first) <= before(second);
}

/** Returns true if `first` is below `second` now and was not at the bar before. `NaN` never crosses. */
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
 * Returns true if a symbol has its first bar of a month at the current time. Months are those of sessions if the run has
 * any, otherwise of UTC. The first bar of the data counts.
 *
 * @throws AppError `lookback_too_short`
 */
export function isFirstBarOfMonth(window: Window): boolean {
  return beginsGroup(window, (day) => monthOf(day * DAY));
}

/**
 * Returns true if a symbol has its first bar of a session at the current time: of a day in UTC if the run has no
 * sessions. The first bar of the data counts.
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
 * Returns the number of bars, on the market's clock, since the fill that opened a position or changed its side. 0 on the bar
 * of this fill, `NaN` when flat.
 *
 * @param symbol default: the first symbol
 */
export function barsSinceEntry(
  { bar, account, symbols }: Pick<BarContext, 'bar' | 'account' | 'symbols'>,
  symbol = symbols[0]!,
): number {
  return bar - (account.position(symbol).entryBar ?? Number.NaN);
}
