import { figureEntry } from '../../results/analysis/index.ts';
import type { SweepResult } from '../../results/runs/index.ts';
import { integer, percent, ratio } from '../shared/formats.ts';
import { type Html, html } from '../shared/html.ts';

/** Trial of a sweep: its parameters and its main figures. */
export type SweepTrial = SweepResult['top'][number];

export type ParameterValue = string | number | boolean;

/**
 * Returns the format for the values of an objective (the figure that a sweep optimises). Fractions are shown
 * as percentages, all other figures as numbers.
 */
export function objectiveFormat(name: string): (value: number | null) => string {
  if (figureEntry(name)?.unit === 'share') return (value) => percent(value);
  return (value) =>
    value !== null && Math.abs(value) >= 1000 && Number.isFinite(value)
      ? integer(Math.round(value))
      : ratio(value, 3);
}

/** Formats the value of a parameter. Numbers have at most six significant digits. */
export function valueText(value: ParameterValue): string {
  return typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value);
}

/** Returns the parameters of a trial as text: `fast 5, slow 60`. */
export function parametersText(parameters: Readonly<Record<string, ParameterValue>>): string {
  const parts = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  return parts.length === 0 ? 'no parameters' : parts.join(', ');
}

const WIDTH = 560;
const HEIGHT = 250;
const LEFT = 52;
const FOOT = 30;
const HEAD = 10;
const RIGHT = 10;

/** CSS classes of the two lines in the picture of a parameter: the best and the mean objective. */
const LOOKS = { best: 'own', mean: 'held' } as const;

interface Scale {
  readonly low: number;
  readonly high: number;
  readonly at: (value: number) => number;
}

/** Returns a linear scale from values to coordinates between `from` and `to`, with a margin at both ends. */
export function scale(values: readonly number[], from: number, to: number): Scale {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.04 || Math.abs(high) * 0.1 || 1;
  const [bottom, top] = [low - room, high + room];
  return { low, high, at: (value) => from + ((value - bottom) / (top - bottom)) * (to - from) };
}

/**
 * Draws one picture for each parameter. It shows the best and the mean objective (optimised figure) of the
 * trials with each value.
 */
export function sliceFigures({ slices, objective, best }: SweepResult): Html {
  const text = objectiveFormat(objective.text);
  const figures = slices.map(({ parameter, points }) => {
    const known = points.flatMap(({ best: own, mean }) => [own, mean]).filter((value) => value !== null);
    if (known.length === 0) return html`<figure><h3>${parameter}</h3><p>No trial has a value.</p></figure>`;
    const y = scale(known, HEIGHT - FOOT, HEAD);
    const x = (place: number): number =>
      points.length === 1
        ? (LEFT + WIDTH - RIGHT) / 2
        : LEFT + (place / (points.length - 1)) * (WIDTH - RIGHT - LEFT);
    const line = (name: 'best' | 'mean'): Html => {
      const drawn = points.flatMap((point, place) => {
        const value = point[name];
        return value === null ? [] : [`${x(place).toFixed(1)},${y.at(value).toFixed(1)}`];
      });
      const dots = drawn.map((place) => {
        const [cx, cy] = place.split(',');
        return html`<circle class="${LOOKS[name]}" cx="${cx}" cy="${cy}" r="2.5"></circle>`;
      });
      return html`<polyline class="${LOOKS[name]}" points="${drawn.join(' ')}"></polyline>${drawn.length <= 40 ? dots : ''}`;
    };
    const step = Math.max(1, Math.ceil(points.length / 8));
    const labels = points.map(({ value }, place) =>
      place % step === 0
        ? html`<text x="${x(place).toFixed(1)}" y="${HEIGHT - 10}" text-anchor="middle">${valueText(value)}</text>`
        : '',
    );
    const own =
      best === null ? undefined : points.findIndex(({ value }) => value === best.parameters[parameter]);
    const mark =
      own === undefined || own < 0
        ? ''
        : html`<line class="actual" x1="${x(own).toFixed(1)}" x2="${x(own).toFixed(1)}" y1="${HEAD}" y2="${HEIGHT - FOOT}"></line>`;
    const words = `${objective.text} by ${parameter}: best from ${text(y.low)} to ${text(y.high)}`;
    return html`<figure><h3>${parameter}</h3><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">${mark}${line('mean')}${line('best')}${labels}${ends(y, text)}</svg></figure>`;
  });
  return html`<div class="columns narrow">${figures}</div><p class="legend"><span class="key">Best ${objective.text} of all trials with the value</span><span class="key held">Mean</span><span class="key actual">Value of the best trial</span></p>`;
}

function ends(y: Scale, text: (value: number) => string): Html {
  return html`<text x="${LEFT - 8}" y="${(y.at(y.high) + 4).toFixed(1)}" text-anchor="end">${text(y.high)}</text><text x="${LEFT - 8}" y="${(y.at(y.low) + 4).toFixed(1)}" text-anchor="end">${y.low === y.high ? '' : text(y.low)}</text><line class="axis" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${HEIGHT - FOOT}" y2="${HEIGHT - FOOT}"></line>`;
}

/**
 * Draws the Sharpe ratio of each trial in the first half of the period against the second half. If the points
 * show no slope, past results do not help to choose a trial.
 */
export function scatterFigure({ scatter, best }: SweepResult): Html {
  const points = scatter.flatMap(({ id, inSample, outOfSample }) =>
    inSample === null || outOfSample === null ? [] : [{ id, x: inSample, y: outOfSample }],
  );
  if (points.length < 3)
    return html`<p>There are too few trials or bars to compare one half of the time with the other.</p>`;
  const x = scale([...points.map((one) => one.x), 0], LEFT, WIDTH - RIGHT);
  const y = scale([...points.map((one) => one.y), 0], HEIGHT - FOOT, HEAD);
  const dot = ({ id, x: across, y: up }: (typeof points)[number]): Html => {
    const isBest = id === best?.id;
    return html`<circle class="${isBest ? 'actual' : 'pale'}" cx="${x.at(across).toFixed(1)}" cy="${y.at(up).toFixed(1)}" r="${isBest ? 5 : 2.5}"><title>${`first half ${ratio(across)}, second half ${ratio(up)}`}</title></circle>`;
  };
  const correlation = rankCorrelation(points);
  // The best trial is drawn last, so that it is not covered.
  const ordered = [...points].sort(
    (one, other) => Number(one.id === best?.id) - Number(other.id === best?.id),
  );
  const words = `Rank correlation of the halves ${ratio(correlation)}: ${correlation > 0.3 ? 'what did well went on doing well.' : correlation < -0.3 ? 'what did well did badly later.' : 'what did well tells little of what came later.'}`;
  return html`<figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`Sharpe ratio of each trial in the first half of the time against the second. ${words}`}"><line class="zero" x1="${x.at(0).toFixed(1)}" x2="${x.at(0).toFixed(1)}" y1="${HEAD}" y2="${HEIGHT - FOOT}"></line><line class="zero" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(0).toFixed(1)}" y2="${y.at(0).toFixed(1)}"></line>${ordered.map(dot)}<text x="${WIDTH - RIGHT}" y="${HEIGHT - 10}" text-anchor="end">${`Sharpe ratio in the first half, ${ratio(x.low)} to ${ratio(x.high)}; upwards in the second`}</text><text x="${LEFT - 8}" y="${(y.at(y.high) + 4).toFixed(1)}" text-anchor="end">${ratio(y.high)}</text><text x="${LEFT - 8}" y="${(y.at(y.low) + 4).toFixed(1)}" text-anchor="end">${ratio(y.low)}</text></svg><figcaption>${words}</figcaption></figure>`;
}

/** Returns Spearman's rank correlation (1904). Equal values get the mean of their ranks. */
export function rankCorrelation(points: readonly { readonly x: number; readonly y: number }[]): number {
  const [x, y] = [ranks(points.map((one) => one.x)), ranks(points.map((one) => one.y))];
  const middle = (points.length + 1) / 2;
  let [sum, across, up] = [0, 0, 0];
  for (let place = 0; place < points.length; place++) {
    const [dx, dy] = [x[place]! - middle, y[place]! - middle];
    sum += dx * dy;
    across += dx * dx;
    up += dy * dy;
  }
  return across === 0 || up === 0 ? Number.NaN : sum / Math.sqrt(across * up);
}

function ranks(values: readonly number[]): Float64Array {
  const order = values.map((_, place) => place).sort((one, other) => values[one]! - values[other]!);
  const given = new Float64Array(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let place = start; place < end; place++) given[order[place]!] = (start + end + 1) / 2;
    start = end;
  }
  return given;
}

/**
 * Draws parallel coordinates. Each trial is a line through the axes of all parameters and of the objective,
 * which is the figure that the sweep optimises.
 */
export function parallelFigure(result: SweepResult, trials: readonly SweepTrial[]): Html {
  const { objective, space, best } = result;
  const rated = trials.filter((one) => one.objective !== null);
  const varied = space.filter(
    ({ name }) => new Set(rated.map(({ parameters }) => parameters[name])).size > 1,
  );
  if (rated.length < 3 || varied.length === 0)
    return html`<p>There are too few trials with an objective to draw.</p>`;
  const [wide, tall, top, bottom, side] = [900, 300, 34, 20, 70];
  const text = objectiveFormat(objective.text);
  const y = scale(
    rated.map((one) => one.objective!),
    tall - bottom,
    top,
  );
  const axes = varied.map(({ name }) => {
    const values = [...new Set(rated.map(({ parameters }) => parameters[name]!))];
    const numeric = values.every((value) => typeof value === 'number');
    const sorted = numeric ? values.sort((one, other) => Number(one) - Number(other)) : values;
    const places = new Map(sorted.map((value, place) => [value, place]));
    const own = numeric
      ? scale(sorted.map(Number), tall - bottom, top)
      : scale([0, sorted.length - 1], tall - bottom, top);
    return {
      name,
      low: valueText(sorted[0]!),
      high: valueText(sorted.at(-1)!),
      at: (value: SweepTrial['parameters'][string]) => own.at(numeric ? Number(value) : places.get(value)!),
    };
  });
  const x = (place: number): number => side + (place / axes.length) * (wide - 2 * side);
  const order = [...rated].sort(
    (one, other) => (objective.minimise ? -1 : 1) * (one.objective! - other.objective!),
  );
  const lines = order.map((one, rank) => {
    const share = rank / Math.max(1, order.length - 1);
    const kind = one.id === best?.id ? 'actual' : share >= 0.9 ? 'good' : share >= 0.5 ? 'middle' : 'poor';
    const points = [
      ...axes.map(
        (axis, place) => `${x(place).toFixed(1)},${axis.at(one.parameters[axis.name]!).toFixed(1)}`,
      ),
      `${x(axes.length).toFixed(1)},${y.at(one.objective!).toFixed(1)}`,
    ];
    return html`<polyline class="${kind}" points="${points.join(' ')}"><title>${`${parametersText(one.parameters)}: ${text(one.objective)}`}</title></polyline>`;
  });
  const frames = [...axes, { name: objective.text, low: text(y.low), high: text(y.high) }].map(
    ({ name, low, high }, place) =>
      html`<line class="axis" x1="${x(place).toFixed(1)}" x2="${x(place).toFixed(1)}" y1="${top}" y2="${tall - bottom}"></line><text class="name" x="${x(place).toFixed(1)}" y="12" text-anchor="middle">${name}</text><text x="${x(place).toFixed(1)}" y="27" text-anchor="middle">${high}</text><text x="${x(place).toFixed(1)}" y="${tall - 4}" text-anchor="middle">${low}</text>`,
  );
  return html`<div class="frame" tabindex="0" role="group" aria-label="Parallel coordinates"><svg viewBox="0 0 ${wide} ${tall}" role="img" aria-label="${`A line for each of ${rated.length} trials through its parameters and its ${objective.text}; the tenth that is best is dark.`}" class="parallel">${lines}${frames}</svg></div><p class="note">A line is a trial; the best tenth is dark, the half below the middle pale, the best of all thick.</p>`;
}
