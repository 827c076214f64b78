import { type Html, html } from '../../../shared/html.ts';
import { grouped, percent } from '../../../shared/number-formats.ts';
import { dayText } from '../dates.ts';
import type { PageData } from '../page-data.ts';
import { extentOf, figure, fixed, footAxis, lineThrough, plot, roomy, thinned, valueAxis } from './plot.ts';

const EQUITY = { width: 760, height: 230 };
const FALL = { width: 760, height: 120 };

/** Draws equity and drawdown of a range of points as two pictures, used for printing and export. */
export function timeLines(data: PageData, from: number, to: number): Html {
  const places = thinned(to - from + 1).map((place) => from + place);
  const value = (column: readonly (number | null)[] | null): (number | null)[] =>
    places.map((place) => column?.[place] ?? null);
  const times = places.map((place) => data.times[place]!);
  const across = { low: times[0] ?? 0, high: times.at(-1) ?? 1 };
  const [own, held] = [value(data.equity.close), value(data.benchmark)];
  const up = roomy(extentOf([...own, ...held].filter((one) => one !== null)));
  const at = plot(EQUITY, across, up);
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const time = across.low + share * (across.high - across.low);
    return [time, dayText(time)] as const;
  });
  const [fall, heldFall] = [value(data.drawdown), value(data.benchmarkDrawdown)];
  const down = roomy(extentOf([0, ...fall, ...heldFall].filter((one) => one !== null)), 0.03);
  const below = plot(FALL, across, { low: down.low, high: 0 });
  const last = own.at(-1) ?? 0;
  return html`${figure(
    'equity-lines',
    `Equity, ${grouped(last)} in the end; the benchmark is grey.`,
    EQUITY,
    valueAxis(at, up, (one) => grouped(one, 0)),
    footAxis(at, marks),
    html`<path class="held" d="${lineThrough(at, times, held)}"/><path class="curve" d="${lineThrough(at, times, own)}"/>`,
  )}${figure(
    'drawdown-lines',
    'Drawdown from the highest equity so far; the benchmark’s is grey.',
    FALL,
    valueAxis(below, { low: down.low, high: 0 }, (one) => percent(one, 0)),
    html`<path class="held" d="${lineThrough(below, times, heldFall)}"/><path class="curve loss" d="${lineThrough(below, times, fall)}"/><path class="zero" d="M${below.left} ${fixed(below.y(0))}H${below.right}"/>`,
  )}`;
}
