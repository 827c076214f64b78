import { DAY } from '../../kernel/index.ts';
import type { BlockSums } from '../../results/analysis/index.ts';
import type { SweepResult } from '../../results/runs/index.ts';
import type { Objective } from './objective.ts';
import { judgedTimes, type PreparedSweep } from './prepare-sweep.ts';
import { type Dimension, type ParameterValue, type Space, unitOf } from './space.ts';
import type { SearchEnd, Tried } from './trial-runner.ts';

/**
 * Maximum number of values on an axis. The values of a numeric parameter with more values are divided into
 * `BINS` bins.
 */
const MOST_PLACES = 60;
const BINS = 12;

interface Axis {
  readonly name: string;
  /** Values of the axis. A bin is represented by its lower end. */
  readonly values: readonly ParameterValue[];
  placeOf(value: ParameterValue): number;
}

function axisOf(dimension: Dimension): Axis {
  const { name } = dimension;
  if ('values' in dimension && dimension.values.length <= MOST_PLACES) {
    const places = new Map(dimension.values.map((value, place) => [value, place]));
    return { name, values: dimension.values, placeOf: (value) => places.get(value)! };
  }
  const numbers = 'values' in dimension ? dimension.values.map(Number) : [dimension.low, dimension.high];
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const width = (high - low) / BINS;
  return {
    name,
    values: Array.from({ length: BINS }, (_, bin) => Number((low + bin * width).toPrecision(6))),
    placeOf: (value) => Math.min(BINS - 1, Math.max(0, Math.floor((Number(value) - low) / width))),
  };
}

function varied({ dimensions }: Space): Dimension[] {
  return dimensions.filter((one) => !('values' in one) || one.values.length > 1);
}

interface Summed {
  trials: number;
  rated: number;
  sum: number;
  best: Tried | undefined;
}

function summed(
  tried: readonly Tried[],
  objective: Objective,
  keyOf: (one: Tried) => number,
): Map<number, Summed> {
  const sums = new Map<number, Summed>();
  for (const one of tried) {
    const key = keyOf(one);
    let sum = sums.get(key);
    if (sum === undefined) {
      sum = { trials: 0, rated: 0, sum: 0, best: undefined };
      sums.set(key, sum);
    }
    sum.trials += 1;
    if (one.objective === null) continue;
    sum.rated += 1;
    sum.sum += one.objective;
    if (sum.best === undefined || objective.isBetter(one.objective, sum.best.objective!)) sum.best = one;
  }
  return sums;
}

/**
 * Returns a heatmap for each pair of parameters. Each cell summarises the objective values of the trials at
 * one pair of parameter values.
 */
export function heatmapsOf(
  space: Space,
  tried: readonly Tried[],
  objective: Objective,
): SweepResult['heatmaps'] {
  const axes = varied(space).map(axisOf);
  return axes.flatMap((x, index) =>
    axes.slice(index + 1).map((y) => {
      const width = x.values.length;
      const sums = summed(
        tried,
        objective,
        ({ trial }) => x.placeOf(trial.parameters[x.name]!) + width * y.placeOf(trial.parameters[y.name]!),
      );
      const cells = [...sums]
        .sort(([one], [other]) => one - other)
        .map(([key, { trials, rated, sum, best }]) => ({
          x: key % width,
          y: Math.floor(key / width),
          trials,
          best: best?.objective ?? null,
          mean: rated === 0 ? null : sum / rated,
          tradeCount: numberOf(best?.result.figures?.tradeCount),
          maxDrawdown: numberOf(best?.result.figures?.maxDrawdown),
        }));
      return { x: x.name, y: y.name, xs: [...x.values], ys: [...y.values], cells };
    }),
  );
}

export function slicesOf(space: Space, tried: readonly Tried[], objective: Objective): SweepResult['slices'] {
  return varied(space).map((dimension) => {
    const axis = axisOf(dimension);
    const sums = summed(tried, objective, ({ trial }) => axis.placeOf(trial.parameters[axis.name]!));
    const points = axis.values.flatMap((value, place) => {
      const found = sums.get(place);
      if (found === undefined) return [];
      const { trials, rated, sum, best } = found;
      return [{ value, trials, best: best?.objective ?? null, mean: rated === 0 ? null : sum / rated }];
    });
    return { parameter: axis.name, points };
  });
}

/**
 * Minimum share for a plateau. The numerator is the mean objective of the best trial's neighbours minus the
 * median objective of all trials. The denominator is the best objective minus this median.
 */
const PLATEAU_SHARE = 0.5;

/**
 * Compares the best trial with its neighbours. A neighbour differs by one step in one parameter. For
 * parameters without steps, the nearest trials are the neighbours.
 */
export function plateauOf(
  space: Space,
  tried: readonly Tried[],
  best: Tried,
  objective: Objective,
): NonNullable<SweepResult['plateau']> {
  const rated = tried.filter(({ objective: value }) => value !== null);
  const dimensions = varied(space);
  const neighbours = neighboursOf(dimensions, tried, best);
  const values = neighbours.flatMap(({ objective: value }) => (value === null ? [] : [value]));
  const sorted = rated.map(({ objective: value }) => value!).sort((one, other) => one - other);
  const median = sorted.length === 0 ? null : sorted[Math.floor((sorted.length - 1) / 2)]!;
  // If a neighbour has no objective value, the median objective of all trials is used instead.
  const sum = neighbours.reduce((total, { objective: value }) => total + (value ?? median ?? 0), 0);
  const neighbourMean = neighbours.length === 0 ? null : sum / neighbours.length;
  const above = median === null ? 0 : Math.abs(best.objective! - median);
  if (neighbourMean === null || median === null || values.length < 2 || above === 0)
    return {
      state: 'unknown',
      neighbours: neighbours.length,
      neighbourMean,
      median,
      text: 'Too few trials are next to the best trial to distinguish a plateau from an isolated peak.',
    };
  const gain = objective.minimise ? median - neighbourMean : neighbourMean - median;
  const share = gain / above;
  const state = share >= PLATEAU_SHARE ? 'plateau' : 'lonely peak';
  const text =
    state === 'plateau'
      ? `The best trial is on a plateau: its ${neighbours.length} neighbours retain ${Math.round(share * 100)}% of its lead over the median trial.`
      : `The best trial is an isolated peak: its ${neighbours.length} neighbours retain ${Math.max(0, Math.round(share * 100))}% of its lead over the median trial.`;
  return { state, neighbours: neighbours.length, neighbourMean, median, text };
}

function neighboursOf(dimensions: readonly Dimension[], tried: readonly Tried[], best: Tried): Tried[] {
  const own = best.trial.parameters;
  if (dimensions.every((one) => 'values' in one)) {
    const stepsOf = ({ trial }: Tried): number[] =>
      dimensions.map((one) => {
        const values = 'values' in one ? one.values : [];
        return Math.abs(values.indexOf(trial.parameters[one.name]!) - values.indexOf(own[one.name]!));
      });
    const near = tried.filter((one) => stepsOf(one).reduce((sum, steps) => sum + steps, 0) === 1);
    if (near.length > 1) return near;
  }
  const space = { dimensions };
  const at = unitOf(space, own);
  const distance = ({ trial }: Tried): number =>
    Math.hypot(...unitOf(space, trial.parameters).map((value, place) => value - at[place]!));
  return tried
    .filter((one) => one !== best)
    .map((one) => ({ one, away: distance(one) }))
    .sort((one, other) => one.away - other.away)
    .slice(0, 2 * dimensions.length)
    .map(({ one }) => one);
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

const MOST_BLOCKS = 16;
const SMALLEST_BLOCK = 10;

/** Blocks of time with equal numbers of bars. The returns of every trial are summed by block. */
export interface TimeBlocks {
  /** Instants of the first bar of each block, without the first block. */
  readonly edges: readonly number[];
  /** Instants of the first bar of each block. Empty if there are too few sessions for blocks. */
  readonly starts: readonly number[];
}

/**
 * Divides the evaluated bars into blocks with equal numbers of bars. The estimate of PBO, the probability of
 * backtest overfitting, requires an even number of blocks.
 */
export function timeBlocks(prepared: Pick<PreparedSweep, 'files' | 'period'>): TimeBlocks {
  const times = judgedTimes(prepared);
  const days = new Set(Array.from(times, (time) => Math.floor(time / DAY))).size;
  const count = Math.min(MOST_BLOCKS, 2 * Math.floor((days - 1) / (2 * SMALLEST_BLOCK)));
  const starts =
    count < 4
      ? []
      : Array.from({ length: count }, (_, block) => times[Math.round((block * times.length) / count)]!);
  return { edges: starts.slice(1), starts };
}

/**
 * Sets the number of returns in each block to the largest number of any trial. An insolvent trial has no
 * later returns, so its missing returns count as 0.
 */
export function equalCounts(all: readonly BlockSums[]): BlockSums[] {
  const count = (all[0]?.count ?? []).map((_, block) => Math.max(...all.map((one) => one.count[block]!)));
  return all.map((one) => ({ ...one, count }));
}

/** Effects of the searched parameters on the results. */
interface Effects {
  /** Conclusion if all trials had the same result. `undefined` if results differ. */
  readonly none: string | undefined;
  /** Notes on parameters without effect, and on combinations that the strategy refused. */
  readonly notes: readonly string[];
}

/**
 * Determines which parameters have an effect. Compares the figures of trials that differ in one parameter
 * only.
 */
export function effectsOf(
  { space, refusals }: Pick<PreparedSweep, 'space' | 'refusals'>,
  { tried, refused }: SearchEnd,
): Effects {
  const full = tried.filter(({ share, result }) => share === 1 && result.figures !== null);
  const varied = space.dimensions.filter(({ name }) => valuesOf(full, name).size > 1);
  const notes = refused === 0 ? [] : refusalNotes(refused, refusals());
  if (full.length > 1 && varied.length > 0 && distinct(full) === 1) {
    const names = varied.map(({ name }) => name);
    const idle = full[0]!.result.figures?.tradeCount === 0 ? ' No trade was closed.' : '';
    const none = `All ${full.length} trials gave the same result: ${names.length === 1 ? `the parameter ${names[0]} has` : `the parameters ${names.join(', ')} have`} no effect.${idle} Check that the strategy reads ${names.length === 1 ? 'it' : 'them'}, and that orders depend on ${names.length === 1 ? 'it' : 'them'}.`;
    return { none, notes };
  }
  const without = varied.filter((one) => hasNoEffect(one, full)).map(({ name }) => name);
  return {
    none: undefined,
    notes: [
      ...notes,
      ...without.map(
        (name) => `${name} has no effect: trials that differ only in ${name} gave the same result.`,
      ),
    ],
  };
}

/**
 * True if the parameter has no effect: all trials with the same values of the other parameters have the same
 * result.
 */
function hasNoEffect({ name }: Dimension, tried: readonly Tried[]): boolean {
  const groups = new Map<string, Tried[]>();
  for (const one of tried) {
    const { [name]: _, ...others } = one.trial.parameters;
    const key = JSON.stringify(others);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const compared = [...groups.values()].filter(({ length }) => length > 1);
  return compared.length > 0 && compared.every((group) => distinct(group) === 1);
}

function distinct(tried: readonly Tried[]): number {
  return new Set(tried.map(({ result }) => JSON.stringify(result.figures))).size;
}

function valuesOf(tried: readonly Tried[], name: string): Set<unknown> {
  return new Set(tried.map(({ trial }) => trial.parameters[name]));
}

/** Maximum number of refused combinations whose reasons the result lists. */
const MOST_REFUSALS = 5;

function refusalNotes(refused: number, reasons: readonly string[]): string[] {
  const shown = reasons.slice(0, MOST_REFUSALS);
  const more = reasons.length - shown.length;
  return [
    `${refused} ${refused === 1 ? 'combination was' : 'combinations were'} refused: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
  ];
}
