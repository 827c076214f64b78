import type { SweepResult } from '../../results/runs/index.ts';
import { integer, percent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { objectiveFormat, type ParameterValue, valueText } from './plots.ts';

type Heatmap = SweepResult['heatmaps'][number];
type Cell = Heatmap['cells'][number];

const WIDTH = 520;
const LEFT = 64;
const FOOT = 40;
const MOST_LABELS = 10;
/** Maximum height of a cell, in units of the picture. */
const TALLEST = 44;

/** Measures that a heatmap can be coloured by. The page's script switches between them. */
const MEASURES = [
  ['best', 'Best'],
  ['mean', 'Mean'],
  ['trades', 'Trades'],
  ['drawdown', 'Drawdown'],
] as const;

/** Draws a heatmap for each pair of parameters. At first, the colour of a cell shows its best trial. */
export function heatmapFigures({ heatmaps, objective, best }: SweepResult): Html {
  const buttons = MEASURES.map(
    ([name, label], index) =>
      html`<button type="button" data-measure="${name}" aria-pressed="${index === 0 ? 'true' : 'false'}">${label}</button>`,
  );
  const figures = heatmaps.map((one) => heatmap(one, objective, best?.parameters));
  return html`<div class="measures" role="group" aria-label="Colour by">${buttons}</div><div class="maps">${figures}</div><p class="note">Darker is better; of trades, darker is more. The outlined cell holds the best trial. A cell is the best, or the mean, of all trials with its two values, whatever the other parameters are.</p>`;
}

function heatmap(
  { x, y, xs, ys, cells }: Heatmap,
  objective: SweepResult['objective'],
  best: Readonly<Record<string, ParameterValue>> | undefined,
): Html {
  const text = objectiveFormat(objective.text);
  const wide = (WIDTH - LEFT) / Math.max(1, xs.length);
  const high = Math.min(TALLEST, Math.max(8, (WIDTH * 0.62) / Math.max(1, ys.length)));
  const height = high * ys.length;
  const strengths = strengthsOf(cells, objective.minimise);
  const squares = cells.map((cell, index) => {
    const { best: own, mean, trials, tradeCount, maxDrawdown } = cell;
    const words = [
      `${x} ${valueText(xs[cell.x]!)}, ${y} ${valueText(ys[cell.y]!)}`,
      `best ${objective.text} ${text(own)}, mean ${text(mean)} of ${integer(trials)}`,
      `${integer(tradeCount)} trades, drawdown ${percent(maxDrawdown)}`,
    ].join(' · ');
    const [byBest, byMean, byTrades, byDrawdown] = strengths.map((values) => values[index]!.toFixed(2));
    const isBest = best !== undefined && holds(xs, cell.x, best[x]) && holds(ys, cell.y, best[y]);
    return html`<rect class="${isBest ? 'cell best' : own === null ? 'cell none' : 'cell'}" x="${(LEFT + cell.x * wide + 0.5).toFixed(1)}" y="${((ys.length - 1 - cell.y) * high + 0.5).toFixed(1)}" width="${Math.max(1, wide - 1).toFixed(1)}" height="${Math.max(1, high - 1).toFixed(1)}" fill-opacity="${byBest}" data-best="${byBest}" data-mean="${byMean}" data-trades="${byTrades}" data-drawdown="${byDrawdown}"><title>${words}</title></rect>`;
  });
  const [sx, sy] = [stepOf(xs.length), stepOf(ys.length)];
  const columns = xs.map((value, place) =>
    place % sx === 0
      ? html`<text x="${(LEFT + (place + 0.5) * wide).toFixed(1)}" y="${(height + 15).toFixed(1)}" text-anchor="middle">${valueText(value)}</text>`
      : '',
  );
  const rows = ys.map((value, place) =>
    place % sy === 0
      ? html`<text x="${LEFT - 6}" y="${((ys.length - 1 - place + 0.5) * high + 4).toFixed(1)}" text-anchor="end">${valueText(value)}</text>`
      : '',
  );
  const summary = summaryOf({ x, y, xs, ys, cells }, objective);
  const label = `${x} across, ${y} up. ${summary}`;
  return html`<figure><h3>${x} × ${y}</h3><svg viewBox="0 0 ${WIDTH} ${(height + FOOT).toFixed(1)}" role="img" aria-label="${label}" class="heatmap">${squares}${columns}${rows}<text class="name" x="${WIDTH}" y="${(height + 33).toFixed(1)}" text-anchor="end">${x}</text><text class="name" x="0" y="12">${y}</text></svg><figcaption class="readout">${summary}</figcaption></figure>`;
}

/** Returns a text alternative of the heatmap for screen readers: its best and its worst cell. */
function summaryOf(
  { x, y, xs, ys, cells }: Heatmap,
  { text: name, minimise }: SweepResult['objective'],
): string {
  const rated = cells.filter((cell) => cell.best !== null);
  if (rated.length === 0) return `No cell has a value of ${name}.`;
  const sorted = [...rated].sort((one, other) => (minimise ? 1 : -1) * (one.best! - other.best!));
  const text = objectiveFormat(name);
  const at = (cell: Cell): string =>
    `${text(cell.best)} at ${x} ${valueText(xs[cell.x]!)}, ${y} ${valueText(ys[cell.y]!)}`;
  return `${name}: best ${at(sorted[0]!)}; worst ${at(sorted.at(-1)!)}.`;
}

/** Returns the opacity of each cell for each measure, from 0.06 to 1. */
function strengthsOf(cells: readonly Cell[], minimise: boolean): number[][] {
  const direction = minimise ? -1 : 1;
  return [
    scaled(cells.map(({ best }) => (best === null ? null : best * direction))),
    scaled(cells.map(({ mean }) => (mean === null ? null : mean * direction))),
    scaled(cells.map(({ tradeCount }) => tradeCount)),
    // A drawdown is negative: values nearer to 0 are better.
    scaled(cells.map(({ maxDrawdown }) => maxDrawdown)),
  ];
}

function scaled(values: readonly (number | null)[]): number[] {
  const known = values.filter((value) => value !== null).sort((one, other) => one - other);
  // The scale ends at the 5th and the 95th percentile, so that a single outlier does not make all other cells
  // pale.
  const at = (share: number): number => known[Math.round(share * (known.length - 1))] ?? 0;
  const [low, high] = [at(0.05), at(0.95)];
  return values.map((value) => {
    if (value === null) return 0;
    if (high === low) return 0.5;
    return 0.06 + 0.94 * Math.min(1, Math.max(0, (value - low) / (high - low)));
  });
}

/**
 * Returns true if a value belongs to a place on an axis. A place is a value or a bin, and a bin is given by
 * its lower end.
 */
function holds(places: readonly ParameterValue[], place: number, value: ParameterValue | undefined): boolean {
  if (places[place] === value) return true;
  if (places.includes(value!)) return false;
  const [low, next] = [places[place], places[place + 1]];
  return (
    typeof value === 'number' &&
    typeof low === 'number' &&
    value >= low &&
    (typeof next === 'number' ? value < next : true)
  );
}

function stepOf(places: number): number {
  return Math.max(1, Math.ceil(places / MOST_LABELS));
}
