import type { SweepResult } from '../../results/runs/index.ts';
import { table } from '../report/figure-table.ts';
import { integer, percent } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';
import { objectiveFormat, type ParameterValue, parametersText, type SweepTrial, valueText } from './plots.ts';

type Heatmap = SweepResult['heatmaps'][number];
type Cell = Heatmap['cells'][number];

const WIDTH = 520;
const LEFT = 64;
const FOOT = 40;
const MOST_LABELS = 10;
/** Maximum height of a cell, in units of the picture. */
const TALLEST = 44;

/** Measures by which a heatmap can be coloured. The page's script switches between them. */
const MEASURES = [
  ['best', 'Best'],
  ['mean', 'Mean'],
  ['trades', 'Trades'],
  ['drawdown', 'Drawdown'],
] as const;

/**
 * Opacity of a cell from which on its text has the colour of the background, so that the text is readable.
 */
const STRONG = 0.75;

/** Minimum size of a cell in units of the picture. Smaller cells have no text. */
const ROOM = { width: 44, height: 18 };

/**
 * Draws a heatmap for each pair of parameters. Initially, the colour of a cell shows its best trial. The
 * page's script shows one heatmap at a time.
 *
 * @param runs names of stored run folders, by id of the trial
 */
export function heatmapFigures(
  { heatmaps, objective, best }: SweepResult,
  trials: readonly SweepTrial[],
  runs: ReadonlyMap<string, string>,
): Html {
  const buttons = MEASURES.map(
    ([name, label], index) =>
      html`<button type="button" data-measure="${name}" aria-pressed="${index === 0 ? 'true' : 'false'}">${label}</button>`,
  );
  const axes =
    heatmaps.length < 2
      ? ''
      : html`<label>Axes <select id="axes">${heatmaps.map(({ x, y }, place) => html`<option value="${place}">${x} × ${y}</option>`)}</select></label>`;
  const figures = heatmaps.map((one) => heatmap(one, objective, best?.parameters, { trials, runs }));
  const scale = html`<div class="legend scale" aria-hidden="true"><span id="scale-low">worst</span><i></i><span id="scale-high">best</span></div>`;
  return html`<div class="controls tabs" role="group" aria-label="Colour by">${buttons}${axes}</div>${scale}<div class="columns narrow maps" data-strong="${STRONG}">${figures}</div><p class="note">A stronger colour is a better value, or more trades. The solid outline marks the cell of the best trial, the dashed outline its neighbours. A cell shows the best, or the mean, of all trials with its two values, whatever the other parameters are. Choose a cell to see its best trial.</p>`;
}

/** Trials of a sweep and the names of their stored runs. */
interface Tried {
  readonly trials: readonly SweepTrial[];
  readonly runs: ReadonlyMap<string, string>;
}

function heatmap(
  { x, y, xs, ys, cells }: Heatmap,
  objective: SweepResult['objective'],
  best: Readonly<Record<string, ParameterValue>> | undefined,
  { trials, runs }: Tried,
): Html {
  const text = objectiveFormat(objective.text);
  const wide = (WIDTH - LEFT) / Math.max(1, xs.length);
  const high = Math.min(TALLEST, Math.max(8, (WIDTH * 0.62) / Math.max(1, ys.length)));
  const height = high * ys.length;
  const strengths = strengthsOf(cells, objective.minimise);
  const hasRoom = wide >= ROOM.width && high >= ROOM.height;
  const isBest = (cell: Cell): boolean =>
    best !== undefined && holds(xs, cell.x, best[x]) && holds(ys, cell.y, best[y]);
  const top = cells.find(isBest);
  const isNear = (cell: Cell): boolean =>
    top !== undefined && Math.abs(cell.x - top.x) <= 1 && Math.abs(cell.y - top.y) <= 1;
  const squares = cells.map((cell, index) => {
    const { best: own, mean, trials: count, tradeCount, maxDrawdown } = cell;
    const words = [
      `${x} ${valueText(xs[cell.x]!)}, ${y} ${valueText(ys[cell.y]!)}`,
      `best ${objective.text} ${text(own)}, mean ${text(mean)} of ${integer(count)}`,
      `${integer(tradeCount)} trades, drawdown ${percent(maxDrawdown)}`,
    ].join(' · ');
    const [byBest, byMean, byTrades, byDrawdown] = strengths.map((values) => values[index]!.toFixed(2));
    const strong = Number(byBest) >= STRONG ? ' strong' : '';
    const kind = `${isBest(cell) ? ' best' : own === null ? ' none' : isNear(cell) ? ' near' : ''}${strong}`;
    const [left, above] = [LEFT + cell.x * wide, (ys.length - 1 - cell.y) * high];
    const trial = trials.find(
      ({ parameters, objective: value }) =>
        value === own &&
        value !== null &&
        holds(xs, cell.x, parameters[x]) &&
        holds(ys, cell.y, parameters[y]),
    );
    const run = trial && runs.get(trial.id);
    const values = [text(own), text(mean), integer(tradeCount), percent(maxDrawdown, 0)];
    const shown =
      hasRoom && own !== null
        ? html`<text class="value" x="${(left + wide / 2).toFixed(1)}" y="${(above + high / 2 + 4).toFixed(1)}" text-anchor="middle" data-texts="${values.join('|')}">${text(own)}</text>`
        : '';
    return html`<rect class="cell${kind}" x="${(left + 0.5).toFixed(1)}" y="${(above + 0.5).toFixed(1)}" width="${Math.max(1, wide - 1).toFixed(1)}" height="${Math.max(1, high - 1).toFixed(1)}" fill-opacity="${byBest}" data-best="${byBest}" data-mean="${byMean}" data-trades="${byTrades}" data-drawdown="${byDrawdown}"${trial === undefined ? '' : html` data-trial="${parametersText(trial.parameters)}"`}${run === undefined ? '' : html` data-run="${run}"`}><title>${words}</title></rect>${shown}`;
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
  const ends = MEASURES.map(([name]) => endsOf(cells, name, objective, text).join('|'));
  return html`<figure data-ends="${ends.join('/')}"><h3>${x} × ${y}</h3><svg viewBox="0 0 ${WIDTH} ${(height + FOOT).toFixed(1)}" role="img" aria-label="${label}" class="heatmap">${squares}${columns}${rows}<text class="name" x="${WIDTH}" y="${(height + 33).toFixed(1)}" text-anchor="end">${x}</text><text class="name" x="0" y="12">${y}</text></svg><figcaption class="readout">${summary}</figcaption></figure>`;
}

/** Returns the worst and the best value of a measure in the cells as text. */
function endsOf(
  cells: readonly Cell[],
  measure: (typeof MEASURES)[number][0],
  { minimise }: SweepResult['objective'],
  text: (value: number | null) => string,
): [string, string] {
  const own = { best: 'best', mean: 'mean', trades: 'tradeCount', drawdown: 'maxDrawdown' } as const;
  const values = cells.map((cell) => cell[own[measure]]).filter((value) => value !== null);
  if (values.length === 0) return ['–', '–'];
  const ends = [Math.min(...values), Math.max(...values)];
  if (minimise && (measure === 'best' || measure === 'mean')) ends.reverse();
  const write =
    measure === 'trades'
      ? (value: number) => integer(value)
      : measure === 'drawdown'
        ? (value: number) => percent(value)
        : text;
  return [write(ends[0]!), write(ends[1]!)];
}

/**
 * Returns the importance of each parameter (correlation ratio, η²). This is the fraction of the objective's
 * variance that the mean objective of each parameter value explains. Empty if there are fewer than two
 * parameters, or fewer than three trials with an objective.
 */
export function importanceTable({ slices }: SweepResult, trials: readonly SweepTrial[]): Html | string {
  const rated = trials.filter(
    (one): one is SweepTrial & { objective: number } =>
      one.objective !== null && Number.isFinite(one.objective),
  );
  if (slices.length < 2 || rated.length < 3) return '';
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const centre = mean(rated.map(({ objective }) => objective));
  const total = rated.reduce((sum, { objective }) => sum + (objective - centre) ** 2, 0);
  const rows = slices
    .map(({ parameter }) => {
      const groups = new Map<ParameterValue | undefined, (typeof rated)[number][]>();
      for (const one of rated) {
        const value = one.parameters[parameter];
        groups.set(value, [...(groups.get(value) ?? []), one]);
      }
      const between = [...groups.values()].reduce(
        (sum, group) => sum + group.length * (mean(group.map(({ objective }) => objective)) - centre) ** 2,
        0,
      );
      return { parameter, share: total > 0 ? between / total : 0 };
    })
    .sort((a, b) => b.share - a.share);
  return html`<h3>Importance of each parameter</h3>${table(
    'Importance of each parameter',
    ['Parameter', 'Importance'],
    rows.map(({ parameter, share }) => [
      parameter,
      html`<span class="share"><i style="width:${(share * 100).toFixed(1)}%"></i></span> ${percent(share, 0)}`,
    ]),
  )}<p class="note">Share of the variance of the objective that the means by value of one parameter explain (η²). The shares of interacting parameters do not add up to 100%.</p>`;
}

/** Describes a heatmap for screen readers by its best and its worst cell. */
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

/**
 * Returns the opacity of each cell, for each measure. It is 0.06 for the worst value, 1 for the best value
 * and 0 for a missing value.
 */
function strengthsOf(cells: readonly Cell[], minimise: boolean): number[][] {
  const direction = minimise ? -1 : 1;
  return [
    scaled(cells.map(({ best }) => (best === null ? null : best * direction))),
    scaled(cells.map(({ mean }) => (mean === null ? null : mean * direction))),
    scaled(cells.map(({ tradeCount }) => tradeCount)),
    // A drawdown is negative, so a larger value is better.
    scaled(cells.map(({ maxDrawdown }) => maxDrawdown)),
  ];
}

function scaled(values: readonly (number | null)[]): number[] {
  const known = values.filter((value) => value !== null).sort((one, other) => one - other);
  // The scale ends at the 5th and the 95th percentile. A single outlier then does not make all other cells
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
 * True if a parameter value belongs to a position on an axis. A position is a single value or a bin. For a
 * bin, `places` contains its lower end.
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
