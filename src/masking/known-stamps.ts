import { DAY, type Instant } from '../kernel/index.ts';
import {
  BarBounds,
  type BarTimes,
  type FeatureTable,
  KnownAt,
  type Market,
  type Stamp,
} from '../market/index.ts';
import { type MaskView, shownDay } from './mask-view.ts';

/** Inputs for computing when data became visible. */
export interface GivenClock {
  readonly market: Pick<Market, 'clock' | 'interval'>;
  readonly settings: { readonly barTimes: BarTimes };
}

/**
 * Returns a function that moves the time at which a row became visible to the masked calendar, by the end of
 * the same real bar.
 */
export function stampMover({ market, settings }: GivenClock, view: MaskView): (known: Stamp) => Stamp {
  if (view.calendar === undefined) return (known) => known;
  const knownAt = new KnownAt(market, new BarBounds(market, settings.barTimes), settings.barTimes);
  return (known) => ({ instant: view.shown(knownAt.ofStamp(known), 'ends'), wholeDay: false });
}

/**
 * Returns a function that moves the dates of a table's rows, and the times at which they became visible, to
 * the masked calendar.
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
