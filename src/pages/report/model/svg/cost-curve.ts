import type { CostMultiples } from '../../../../analysis/series/index.ts';
import { type Html, html } from '../../../shared/html.ts';
import { percent, ratio, signedPercent } from '../../../shared/number-formats.ts';
import { table } from '../table.ts';
import { figure, fixed, footAxis, lineThrough, plot, roomy, valueAxis } from './plot.ts';

const SIZE = { width: 560, height: 220 };
/** Minimum and maximum length of the curve, as cost multiples. */
const SHORTEST = 5.5;
const LONGEST = 25;

/**
 * Draws the return by multiples of commission and slippage, marks the break-even multiple and adds a table of
 * the same values.
 */
export function costCurve(found: CostMultiples | undefined): Html {
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
    return html`<circle class="dot" cx="${fixed(x)}" cy="${fixed(y)}" r="4"/>${text}`;
  });
  const isDrawn = breakEven !== null && breakEven <= reach;
  const crossing = isDrawn
    ? html`<path class="even-line" d="M${fixed(area.x(breakEven))} ${fixed(area.y(up.high))}V${area.bottom}"/><circle class="dot loss" cx="${fixed(area.x(breakEven))}" cy="${fixed(area.y(0))}" r="4.5"/><text x="${fixed(area.x(breakEven) - 6)}" y="18" text-anchor="end" class="name">break-even ${ratio(breakEven)} ×</text>`
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
    html`<path class="zero" d="M${area.left} ${fixed(area.y(0))}H${area.right}"/><path class="curve" d="${lineThrough(area, [0, reach], [at(0), at(reach)])}"/>`,
    dots,
    crossing,
  );
}

/** Width of a label, in units of the picture. */
const ROOM_OF_RETURN = 60;
const ROOM_OF_MARK = 34;

/** Returns the items whose labels do not overlap the previous label. */
function apart<One>(all: readonly One[], place: (one: One) => number, room: number): One[] {
  const kept: One[] = [];
  for (const one of all) {
    const before = kept.at(-1);
    if (before === undefined || place(one) - place(before) >= room) kept.push(one);
  }
  return kept;
}
