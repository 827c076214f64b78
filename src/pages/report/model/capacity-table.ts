import {
  type CapacityFound,
  capacityOfShares,
  type Undefined,
  undefinedBecause,
} from '../../../analysis/series/index.ts';
import { type Html, html } from '../../shared/html.ts';
import { grouped, percent } from '../../shared/number-formats.ts';
import type { PageData } from './page-data.ts';
import { equityBefore, type Range } from './range.ts';
import { table } from './table.ts';

/**
 * Returns the table of capacity: account size by participation in the volume.
 *
 * @param start describes the account that the fills refer to
 */
export function capacityTable(found: CapacityFound | Undefined, start: string): Html {
  if ('reason' in found) return html`<p>Not defined: ${found.reason}.</p>`;
  const { steps, median, high, largest, fills } = found;
  const small = (share: number): string =>
    share < 1e-6 ? 'under 0.0001%' : percent(share, share < 0.001 ? 4 : 2);
  return html`${table(
    'Account by participation in the volume',
    ['Of a bar’s volume', '95% of fills', 'All fills'],
    steps.map(({ participation, usual, all }) => [
      percent(participation, 0),
      roughAmount(usual),
      roughAmount(all),
    ]),
  )}<p class="note">It took ${small(median)} of the volume with its median fill, ${small(high)} with the 95th of 100, ${small(largest)} at most (${grouped(fills, 0)} fills). Account: ${start} × the share ÷ the 95% quantile of what fills took of their bars’ volume, as if quantities grew with the account.</p>`;
}

/** Calculates the capacity from the fills of a range, relative to the equity at its start. */
export function capacityOfRange(data: PageData, range: Range): CapacityFound | Undefined {
  const { session, share } = data.sessions.volume;
  const own = share.filter((_, fill) => session[fill]! >= range.from && session[fill]! <= range.to);
  const before = equityBefore(data, range);
  if (own.length === 0) return undefinedBecause('no fill of this period is on a bar with a volume');
  if (before <= 0) return undefinedBecause('equity was not positive where it begins');
  return capacityOfShares(own.map(Math.exp), before);
}

const SCALES: readonly (readonly [from: number, name: string])[] = [
  [1e12, 'trillion'],
  [1e9, 'billion'],
  [1e6, 'million'],
];

/** Formats an amount with three significant digits, which is the precision of the estimate. */
export function roughAmount(value: number): string {
  const rough = Number(value.toPrecision(3));
  const [from, name] = SCALES.find(([least]) => rough >= least) ?? [1, ''];
  return name === '' ? grouped(rough, 0) : `${Number((rough / from).toPrecision(3))} ${name}`;
}
