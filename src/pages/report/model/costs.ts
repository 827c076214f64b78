import {
  type CapacityFound,
  type CostMultiples,
  capacityOfShares,
  costMultiples,
  type Undefined,
  undefinedBecause,
} from '../../../results/analysis/series/index.ts';
import { type Content, type Html, html } from '../../shared/html.ts';
import { grouped, percent, ratio, signedPercent } from '../../shared/number-formats.ts';
import { CASH_NAMES, table, toned } from './attribution.ts';
import type { PageData } from './page-data.ts';
import { equityBefore, type Range, sumOf } from './range.ts';
import { figure, fixed, footAxis, lineThrough, plot, roomy, valueAxis } from './svg/plot.ts';

const SIZE = { width: 560, height: 220 };
/**
 * Minimum length of the axis of the cost curve, as a multiple of the actual costs. `LONGEST` is the maximum
 * length.
 */
const SHORTEST = 5.5;
const LONGEST = 25;

/**
 * Draws the return that would result at multiples of the actual commission and slippage. Marks the multiple
 * at which the profit is zero. Adds a table of the same values.
 */
function costCurve(found: CostMultiples | undefined): Html {
  if (found === undefined) return html`<p>No bar was processed.</p>`;
  const { steps, breakEven } = found;
  const at = (multiple: number): number => steps[0]!.totalReturn - multiple * cost;
  const cost = steps[0]!.totalReturn - steps[1]!.totalReturn;
  const rows = steps.map(({ multiple, totalReturn }) => [
    multiple === 0 ? 'None' : `${multiple} ×`,
    signedPercent(totalReturn),
  ]);
  const even =
    breakEven === null
      ? at(0) <= 0
        ? 'Before any cost there was no gain to lose.'
        : 'Trading cost nothing, so that no multiple of it takes the gain.'
      : `Nothing is left at ${ratio(breakEven)} times the costs.`;
  if (breakEven !== null) rows.push([`${ratio(breakEven)} × (break-even)`, signedPercent(0)]);
  const values = table('Return at multiples of the costs', ['Commission and slippage', 'Return'], rows);
  const note = html`<p class="note">The same fills in the same quantities. ${even}</p>`;
  return html`${cost === 0 ? '' : curve(found, at, even)}${values}${note}`;
}

function curve({ steps, breakEven }: CostMultiples, at: (multiple: number) => number, even: string): Html {
  const reach = Math.min(LONGEST, Math.max(SHORTEST, (breakEven ?? 0) * 1.12));
  const up = roomy({ low: Math.min(0, at(reach)), high: Math.max(0, at(0)) }, 0.1);
  const area = plot(SIZE, { low: 0, high: reach }, up);
  const places = up.high - up.low < 0.1 ? 1 : 0;
  const shown = steps.filter(({ multiple }) => multiple > 0);
  const labelled = apart(shown, ({ multiple }) => area.x(multiple), ROOM_OF_RETURN);
  const dots = shown.map((step) => {
    const [x, y] = [area.x(step.multiple), area.y(step.totalReturn)];
    const text = labelled.includes(step)
      ? html`<text x="${fixed(x + 6)}" y="${fixed(y - 8)}" class="name">${signedPercent(step.totalReturn, 1)}</text>`
      : '';
    return html`<circle class="own" cx="${fixed(x)}" cy="${fixed(y)}" r="4"/>${text}`;
  });
  const isDrawn = breakEven !== null && breakEven <= reach;
  const crossing = isDrawn
    ? html`<path class="limit" d="M${fixed(area.x(breakEven))} ${fixed(area.y(up.high))}V${area.bottom}"/><circle class="loss" cx="${fixed(area.x(breakEven))}" cy="${fixed(area.y(0))}" r="4.5"/><text x="${fixed(area.x(breakEven) - 6)}" y="18" text-anchor="end" class="name">break-even ${ratio(breakEven)} ×</text>`
    : '';
  const label = `Return at multiples of commission and slippage: ${steps.map(({ multiple, totalReturn }) => `${signedPercent(totalReturn, 1)} at ${multiple} ×`).join(', ')}. ${even}`;
  const multiples = [0, 1, 2, 5, 10, 20].filter((one) => one <= reach);
  const marks = apart(multiples, area.x, ROOM_OF_MARK).map(
    (one) => [one, one === 0 ? 'none' : `${one} ×`] as const,
  );
  return figure(
    'cost-curve',
    label,
    SIZE,
    valueAxis(area, up, (value) => percent(value, places)),
    footAxis(area, marks),
    html`<path class="zero" d="M${area.left} ${fixed(area.y(0))}H${area.right}"/><path class="own" d="${lineThrough(area, [0, reach], [at(0), at(reach)])}"/>`,
    dots,
    crossing,
  );
}

/**
 * Minimum distance in units of the picture. `ROOM_OF_RETURN` is between labels of returns, `ROOM_OF_MARK`
 * between labels of multiples.
 */
const ROOM_OF_RETURN = 60;
const ROOM_OF_MARK = 34;

/** Returns those items whose labels do not overlap the label of the previous returned item. */
function apart<One>(all: readonly One[], place: (one: One) => number, room: number): One[] {
  const kept: One[] = [];
  for (const one of all) {
    const before = kept.at(-1);
    if (before === undefined || place(one) - place(before) >= room) kept.push(one);
  }
  return kept;
}

/**
 * Returns the parts about trading costs and about results with higher costs.
 *
 * @param start name of the amount to which returns are relative, for example "the initial cash"
 */
export function costParts(steps: readonly PaidStep[], start: string): Html {
  return html`<div><h3>Trading costs by step</h3>${costTable(steps, start)}</div><div><h3>Return at higher costs</h3>${costCurve(costMultiples(steps))}</div>`;
}

/**
 * Returns the capacity table. Capacity is the account size at which the fills would use a given fraction of
 * the volume of their bars.
 *
 * @param start name of the account size with which the run was made
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

/**
 * Calculates the capacity from the fills of a period. The account size is the equity at the start of the
 * period.
 */
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
  const scale = SCALES.find(([least]) => rough >= least);
  if (scale === undefined) return grouped(rough, 0);
  const [from, name] = scale;
  return `${Number((rough / from).toPrecision(3))} ${name}`;
}

/**
 * Row of the cost table: the profit from price changes, or a cost or cash entry between this profit and the
 * final profit. Amounts are signed and in account currency. `returnBefore` and `returnAfter` are the returns
 * without and with the amount of the row. If a value is unknown, it is `null` and `reason` states why.
 */
export interface PaidStep {
  readonly name: string;
  readonly amount: number | null;
  readonly returnBefore: number | null;
  readonly returnAfter: number | null;
  readonly reason?: string | undefined;
  /** True if the cost is not paid from the account, for example the model's tokens. */
  readonly isOutside?: boolean;
}

/**
 * Returns the rows of the cost table for a range of sessions. The returns in the rows are relative to the
 * equity at the start of the range.
 */
export function paidStepsOf(data: PageData, range: Range): PaidStep[] {
  const { sessions } = data;
  const before = equityBefore(data, range);
  const profit = sessions.equity[range.to]! - before;
  const paid: (readonly [string, number])[] = [
    ['Commission', -sumOf(sessions.commission, range)],
    ['Slippage', -sumOf(sessions.slippage, range)],
    ...sessions.cash
      .map(({ kind, amounts }) => [CASH_NAMES[kind] ?? kind, sumOf(amounts, range)] as const)
      .filter(([, amount]) => amount !== 0),
  ];
  const share = (amount: number): number | null => (before > 0 ? amount / before : null);
  let left = paid.reduce((rest, [, amount]) => rest - amount, profit);
  const steps: PaidStep[] = [
    { name: 'From prices', amount: left, returnBefore: 0, returnAfter: share(left) },
  ];
  for (const [name, amount] of paid) {
    steps.push({ name, amount, returnBefore: share(left), returnAfter: share(left + amount) });
    left += amount;
  }
  return steps;
}

/**
 * Returns the table of costs. The first row is the profit of price changes, and the last row is the profit
 * after all costs. Each row shows the return before and after the cost.
 */
function costTable(steps: readonly PaidStep[], start: string): Html {
  if (steps.length === 0) return html`<p>No bar was processed: nothing was paid.</p>`;
  const outside = steps.find(({ isOutside }) => isOutside === true);
  const paid = steps.filter((step) => step !== outside);
  const rows = [
    ...paid.map(row),
    total('After all of these', paid),
    ...(outside === undefined ? [] : [row(outside), total('After model tokens', steps)]),
  ];
  const notes = [
    `Before and after are returns of ${start}; each cost is taken off the same fills in the same quantities.`,
    ...(outside === undefined
      ? []
      : ['The equity has not paid the model’s tokens: they are taken off here alone.']),
    ...(outside?.reason === undefined ? [] : [`Their cost is unknown: ${outside.reason}.`]),
  ];
  return html`${table('From gross to net', ['Step', 'Money', 'Before', 'After'], rows)}<p class="note">${notes.join(' ')}</p>`;
}

function row({ name, amount, returnBefore, returnAfter }: PaidStep): Content[] {
  return [
    name,
    amount === null ? 'unknown' : toned(grouped(amount), amount),
    signedPercent(returnBefore),
    returnAfter === null && amount === null ? 'unknown' : signedPercent(returnAfter),
  ];
}

function total(name: string, steps: readonly PaidStep[]): Content[] {
  if (steps.some((step) => step.amount === null)) return [name, 'unknown', '', 'unknown'];
  const sum = steps.reduce((all, step) => all + (step.amount ?? 0), 0);
  return [name, toned(grouped(sum), sum), '', signedPercent(steps.at(-1)?.returnAfter)];
}
