import { AppError, type Fault, faultsError, type Instant } from '../../kernel/index.ts';
import { type BlockSums, sharpeOfBlocks } from '../../results/analysis/index.ts';
import type { CrossValidationResult } from '../../results/runs/index.ts';
import type { Objective } from '../sweep/objective.ts';
import type { Point } from '../sweep/space.ts';
import { readSpan, type Span, shifted } from './windows.ts';

/** Options of a cross-validation. */
export interface CrossValidationTerms {
  /** Number of groups into which the bars are divided. */
  readonly groups: number;
  /** Number of groups in each split that are used for testing. */
  readonly test: number;
  /** Length of time before and after each test group whose bars are excluded from training. */
  readonly embargo: Span | undefined;
}

/**
 * Parses the options of a cross-validation, for example `cpcv:groups=6,test=2,embargo=5d`.
 *
 * @throws AppError `bad_cross_validation` with every fault
 */
export function readCrossValidation(text: string): CrossValidationTerms {
  const faults: Fault[] = [];
  const [kind = '', rest = ''] = text.split(/:(.*)/s);
  if (kind !== 'cpcv')
    faults.push({ where: kind, message: 'is not a kind of cross-validation. Available: cpcv' });
  const given = new Map<string, string>();
  for (const part of rest === '' ? [] : rest.split(',')) {
    const [name = '', ...values] = part.trim().split('=');
    const value = values.join('=');
    if (!['groups', 'test', 'embargo'].includes(name))
      faults.push({ where: part, message: 'is not groups, test or embargo' });
    else if (given.has(name)) faults.push({ where: part.trim(), message: `duplicate ${name}` });
    given.set(name, value);
  }
  const whole = (name: string, otherwise: number, least: number, most: number): number => {
    const value = Number(given.get(name) ?? otherwise);
    if (!Number.isInteger(value) || value < least || value > most)
      faults.push({ where: name, message: `is not a whole number from ${least} to ${most}` });
    return value;
  };
  const groups = whole('groups', 6, 3, 16);
  const test = whole('test', 2, 1, Math.max(1, groups - 1));
  const embargo = given.has('embargo') ? readSpan(given.get('embargo')!) : undefined;
  if (given.has('embargo') && embargo === undefined)
    faults.push({ where: 'embargo', message: 'is not a length such as 5d, 2w or 1m' });
  if (faults.length > 0)
    throw faultsError(
      'bad_cross_validation',
      `--cross-validate ${text}`,
      faults,
      'Write it as cpcv:groups=6,test=2,embargo=5d.',
    );
  return { groups, test, embargo };
}

/**
 * Groups of bars for a cross-validation. Each group is divided into blocks. The bars near a border, within
 * the embargo, are separate blocks, so that a split can exclude them.
 */
export interface Cuts {
  /** Instants that divide the evaluated bars into blocks, ascending. */
  readonly edges: readonly Instant[];
  /** Instant of the first bar of each group, and finally the instant after the last bar. */
  readonly bounds: readonly Instant[];
  /**
   * Indices of the blocks of each group: `all` blocks, the blocks within the embargo at the beginning of the
   * group (`first`), and the blocks within the embargo at its end (`last`).
   */
  readonly groups: readonly {
    readonly all: readonly number[];
    readonly first: readonly number[];
    readonly last: readonly number[];
  }[];
}

/**
 * Divides the evaluated bars into groups with equal numbers of bars.
 *
 * @param times times of the evaluated bars
 * @throws AppError `bad_cross_validation` if a group has too few bars, or too few after the embargo
 */
export function cutsOf(terms: CrossValidationTerms, times: Float64Array): Cuts {
  const { groups, embargo } = terms;
  const starts = Array.from({ length: groups }, (_, index) => Math.round((index * times.length) / groups));
  checkEmbargo(
    terms,
    starts.map((start, group) => Array.from(times).slice(start, starts[group + 1])),
  );
  const bounds = [...starts.map((start) => times[start]!), times[times.length - 1]! + 1];
  const borders = bounds.slice(1, -1);
  const edges = new Set<Instant>(borders);
  // `checkEmbargo` has ensured that the embargo is shorter than each group. An edge at the distance of the
  // embargo from a border is therefore inside the adjacent group.
  if (embargo !== undefined)
    for (const border of borders) edges.add(shifted(border, embargo, -1)).add(shifted(border, embargo));
  const sorted = [...edges].sort((one, other) => one - other);
  const blocksBetween = (from: number, to: number): number[] =>
    Array.from({ length: sorted.length + 1 }, (_, block) => block).filter((block) => {
      const begins = block === 0 ? Number.NEGATIVE_INFINITY : sorted[block - 1]!;
      return begins >= from && begins < to;
    });
  return {
    edges: sorted,
    bounds,
    groups: Array.from({ length: groups }, (_, group) => {
      const from = group === 0 ? Number.NEGATIVE_INFINITY : borders[group - 1]!;
      const to = borders[group] ?? Number.POSITIVE_INFINITY;
      const all = blocksBetween(from, to);
      if (embargo === undefined) return { all, first: [], last: [] };
      return {
        all,
        first: group === 0 ? [] : blocksBetween(from, Math.min(to, shifted(from, embargo))),
        last: group === groups - 1 ? [] : blocksBetween(Math.max(from, shifted(to, embargo, -1)), to),
      };
    }),
  };
}

/** Minimum number of bars that the embargo must leave in a group for training. */
const FEWEST_BARS = 2;

/**
 * Checks that each group has enough bars, and that the embargo leaves enough bars for training in each group.
 *
 * @throws AppError `bad_cross_validation`. For an embargo that is too long, the message states the longest
 *   possible embargo
 */
function checkEmbargo({ groups, test, embargo }: CrossValidationTerms, bars: readonly Instant[][]): void {
  const fewest = Math.min(...bars.map((own) => own.length));
  if (fewest < FEWEST_BARS)
    throw new AppError({
      code: 'bad_cross_validation',
      message: `--cross-validate: groups=${groups} makes a group of ${fewest === 1 ? '1 bar' : `${fewest} bars`}. A group needs at least ${FEWEST_BARS} bars.`,
      hint: 'Use fewer groups or more data.',
    });
  if (embargo === undefined) return;
  const fits = (span: Span): boolean =>
    bars.every((own, group) => {
      const after = group === 0 ? Number.NEGATIVE_INFINITY : shifted(own[0]!, span);
      const end = bars[group + 1]?.[0];
      const before = end === undefined ? Number.POSITIVE_INFINITY : shifted(end, span, -1);
      const left = (from: number, to: number): number =>
        own.filter((time) => time >= from && time < to).length;
      // The embargo removes bars of a training group next to each test group. With several test groups, both
      // ends of a training group can be cut. With one test group, only one end can be cut.
      return test > 1
        ? left(after, before) >= FEWEST_BARS
        : left(after, Number.POSITIVE_INFINITY) >= FEWEST_BARS &&
            left(Number.NEGATIVE_INFINITY, before) >= FEWEST_BARS;
    });
  if (fits(embargo)) return;
  let longest = 0;
  for (let days = 1; fits({ text: `${days}d`, days, months: 0 }); days++) longest = days;
  throw new AppError({
    code: 'bad_cross_validation',
    message: `--cross-validate: embargo=${embargo.text} is too long for ${groups} groups${test > 1 ? ` of which ${test} are tested` : ''}. ${longest === 0 ? 'No embargo is possible with groups this short.' : `The longest possible embargo is ${longest}d.`}`,
    hint:
      longest === 0
        ? 'Remove embargo, use fewer groups, or use more data.'
        : `Use embargo=${longest}d or less, fewer groups, or more data.`,
  });
}

/**
 * Returns the ranges of time for which an objective is computed. There are four for each group: the whole
 * group, the group without the embargo at its beginning, without the embargo at its end, and without both.
 *
 * The shorter ranges are needed because a split excludes training bars within the embargo of a neighbouring
 * test group.
 */
export function spansOf({ edges, groups }: Cuts): [number, number][] {
  return groups.flatMap((group) =>
    [0, 1, 2, 3].map((left): [number, number] => {
      const blocks = leftOf(group, { first: (left & 1) > 0, last: (left & 2) > 0 });
      const [first, last] = [blocks[0], blocks.at(-1)];
      if (first === undefined || last === undefined) return [0, 0];
      return [edges[first - 1] ?? Number.MIN_SAFE_INTEGER, edges[last] ?? Number.MAX_SAFE_INTEGER];
    }),
  );
}

/** Returns the blocks of a group that remain for training, without the blocks within the embargo. */
function leftOf(
  group: Cuts['groups'][number],
  without: { readonly first: boolean; readonly last: boolean },
): number[] {
  const left = new Set([...(without.first ? group.first : []), ...(without.last ? group.last : [])]);
  return group.all.filter((block) => !left.has(block));
}

interface ValidatedTrial {
  readonly id: string;
  readonly parameters: Point;
  readonly blocks: BlockSums;
  /**
   * Objective over each range that `spansOf` returns. Omitted for the Sharpe ratio, which is computed from
   * `blocks`.
   */
  readonly parts?: readonly (number | null)[];
}

/** Criterion by which the best trial of a split is chosen. */
type Chooser = Pick<Objective, 'text' | 'isBetter'>;

const SHARPE: Chooser = { text: 'sharpe', isBetter: (one, other) => one > other };

/**
 * Runs a combinatorial purged cross-validation. Each possible selection of test groups is one split. In each
 * split, the trial with the best objective over the training groups is chosen, and its objective over the
 * test groups is reported.
 *
 * The Sharpe ratio is computed from the returns of all groups together. Any other objective is the mean over
 * the groups, weighted by their sessions.
 *
 * Training data within the embargo of a test group is excluded, both before and after the group. The reason:
 * a position or a moving average may extend across the border of a group.
 *
 * M. López de Prado, "Advances in Financial Machine Learning" (2018), chapter 12.
 */
export function crossValidate(
  terms: CrossValidationTerms,
  cuts: Cuts,
  trials: readonly ValidatedTrial[],
  periodsPerYear: number,
  objective: Chooser = SHARPE,
): Omit<CrossValidationResult, 'windows' | 'positions' | 'history'> {
  const { groups, test, embargo } = terms;
  const yearly = Math.sqrt(periodsPerYear);
  const choices = combinations(groups, test);
  const found = choices.map((chosen) => {
    const training = cuts.groups.flatMap((group, index) => {
      if (chosen.includes(index)) return [];
      const without = { first: chosen.includes(index - 1), last: chosen.includes(index + 1) };
      const part = 4 * index + (without.first ? 1 : 0) + (without.last ? 2 : 0);
      return [{ part, blocks: leftOf(group, without) }];
    });
    const testing = chosen.map((index) => ({ part: 4 * index, blocks: cuts.groups[index]!.all }));
    const values = trials.map((trial) => valueOver(trial, training, yearly));
    let best = 0;
    for (let index = 1; index < values.length; index++) {
      const [value, most] = [values[index]!, values[best]!];
      if (value !== null && (most === null || objective.isBetter(value, most))) best = index;
    }
    const trial = trials[best]!;
    return {
      chosen,
      trial,
      inSample: values[best]!,
      outOfSample: valueOver(trial, testing, yearly),
      outOfSampleSharpe: sharpeOfBlocks(
        trial.blocks,
        testing.flatMap(({ blocks }) => blocks),
      ),
    };
  });
  // A path joins the test results of all groups, each from one split. For each group, path n uses the n-th
  // split that tests the group.
  const pathCount = (choices.length * test) / groups;
  const paths = Array.from({ length: pathCount }, (_, path) => {
    const [count, sum, squares]: [number[], number[], number[]] = [[], [], []];
    for (let group = 0; group < groups; group++) {
      const split = found.filter(({ chosen }) => chosen.includes(group))[path]!;
      for (const block of cuts.groups[group]!.all) {
        count.push(split.trial.blocks.count[block]!);
        sum.push(split.trial.blocks.sum[block]!);
        squares.push(split.trial.blocks.squares[block]!);
      }
    }
    return sharpeOfBlocks({ count, sum, squares }, [...count.keys()]) * yearly;
  });
  return {
    groups,
    test,
    embargo: embargo?.text ?? null,
    by:
      trials[0]?.parts === undefined
        ? 'Sharpe ratio of session returns, a year'
        : `${objective.text}, as the mean over groups weighted by their sessions`,
    splits: found.map(({ chosen, trial, inSample, outOfSample }) => ({
      test: [...chosen],
      id: trial.id,
      parameters: { ...trial.parameters },
      inSample,
      outOfSample,
    })),
    paths,
    lossShare: found.filter(({ outOfSampleSharpe }) => outOfSampleSharpe < 0).length / found.length,
  };
}

/**
 * Returns the objective of a trial over several groups or parts of groups. `null` if the objective is
 * undefined in all of them.
 */
function valueOver(
  { blocks, parts }: ValidatedTrial,
  over: readonly { readonly part: number; readonly blocks: readonly number[] }[],
  yearly: number,
): number | null {
  if (parts === undefined)
    return (
      sharpeOfBlocks(
        blocks,
        over.flatMap((one) => one.blocks),
      ) * yearly
    );
  let [sum, weights] = [0, 0];
  for (const { part, blocks: own } of over) {
    const value = parts[part] ?? null;
    if (value === null) continue;
    const sessions = own.reduce((total, block) => total + blocks.count[block]!, 0);
    sum += value * sessions;
    weights += sessions;
  }
  return weights === 0 ? null : sum / weights;
}

/**
 * Returns all sets of `size` different numbers from `from` to `count - 1`. The numbers of each set are in
 * ascending order.
 */
export function combinations(count: number, size: number, from = 0): number[][] {
  if (size === 0) return [[]];
  const found: number[][] = [];
  for (let first = from; first <= count - size; first++)
    for (const rest of combinations(count, size - 1, first + 1)) found.push([first, ...rest]);
  return found;
}
