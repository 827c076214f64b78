import { AppError, createRandom } from '../../kernel/index.ts';
import type { StudyCell } from '../../results/analysis/index.ts';
import type { TrialResult, TrialTask } from '../sweep/executor.ts';
import type { Figures } from '../sweep/figures.ts';
import type { SweepJournal } from '../sweep/sweep-folder.ts';
import type { Arm } from './arms.ts';
import { placedAtRandom } from './baselines.ts';
import type { StudyRequest } from './study-file.ts';
import { periodOf, roomOf, type StudyGround, type StudyTrials } from './study-trials.ts';

/**
 * Results of the random agents with which an arm (a strategy with a model, a tool set and a mask) is
 * compared. A draw is a set of random agents, one for each run of the arm.
 */
export interface RandomDraws {
  /** Mean total return of a draw's random agents over all windows and samples. One value per draw. */
  readonly returns: readonly number[];
  /**
   * Mean total return of an agent that repeats the arm's trades at the same times, with the same kind of
   * orders as a random agent. It differs from the arm's return only by the prices and sizes of orders.
   */
  readonly repeated: number;
  readonly tradeCount: number;
  readonly exposure: number | null;
  /** Mean annualised turnover of the random agents. */
  readonly turnover: number | null;
}

/** Number of the draw in which the agent repeats the arm's own trades. */
const REPEATED = -1;
/**
 * Number of trials that are sent to threads together. Limits memory, because the plans of these trials are in
 * memory at the same time.
 */
const AT_ONCE = 2_000;

/**
 * Runs random agents. Their trades have the number, holding times and sizes of an arm's trades, but random
 * times and symbols. Each draw has one random agent for each run of the arm.
 *
 * @param cells data of the arm's samples, by window
 * @returns undefined if the arm made no trade, or if the study was stopped
 * @throws AppError if a random agent has no result
 */
export async function runRandomAgents(
  request: StudyRequest,
  ground: StudyGround,
  journal: SweepJournal,
  arm: Arm,
  cells: readonly (readonly StudyCell[])[],
  trials: StudyTrials,
  signal: AbortSignal,
): Promise<RandomDraws | undefined> {
  const { leverage, lot } = ground.settings;
  const runs = cells.reduce((sum, samples) => sum + samples.length, 0);
  if (cells.every((samples) => samples.every(({ episodes }) => episodes.length === 0))) return undefined;
  const idOf = (draw: number): string => `random/${arm.name}/${draw}`;
  const draws = Array.from({ length: request.random }, (_, draw) => draw);
  const missing = draws.filter((draw) => journal.get(idOf(draw)) === undefined);
  const each = Math.max(1, Math.floor(AT_ONCE / runs));
  const isRepeated = journal.get(idOf(REPEATED)) !== undefined;
  if (!isRepeated && !signal.aborted) await draw([REPEATED]);
  for (let first = 0; first < missing.length && !signal.aborted; first += each)
    await draw(missing.slice(first, first + each));
  const known = draws.flatMap((draw) => {
    const figures = journal.get(idOf(draw))?.figures;
    return figures === undefined || figures === null ? [] : [figures as Record<string, number>];
  });
  const repeated = journal.get(idOf(REPEATED))?.figures?.score;
  if (signal.aborted || known.length < draws.length || typeof repeated !== 'number') return undefined;
  const sum = (name: string): number => known.reduce((total, figures) => total + figures[name]!, 0);
  return {
    returns: known.map(({ score }) => score!),
    repeated,
    tradeCount: sum('tradeCount') / sum('count'),
    exposure: sum('meanExposure') / sum('count'),
    turnover: sum('turnover') / sum('count'),
  };

  async function draw(numbers: readonly number[]): Promise<void> {
    const found = new Map(numbers.map((number) => [number, new Map<string, Figures>()]));
    for await (const { id, figures, error, outcome } of trials.run(numbers.flatMap(tasksOf), signal)) {
      const [number = '', key = ''] = id.split(':');
      if (figures === null)
        throw new AppError({
          code: 'random_agent_failed',
          message: `A random agent for ${arm.name} has no result: ${error?.message ?? outcome}.`,
          hint: 'Disable random agents with random: 0, and report this.',
          kind: 'run',
        });
      const own = found.get(Number(number))!;
      own.set(key, figures);
      // The figures are summed in a fixed order, so that the sums do not depend on the order in which runs
      // finish.
      if (own.size === runs) journal.add(summed(idOf(Number(number)), own));
    }
  }

  function tasksOf(number: number): TrialTask[] {
    return cells.flatMap((samples, place) => {
      const window = request.windows[place]!;
      const { symbols, offset } = roomOf(ground, window);
      return samples.map((cell, sample) => {
        const random = createRandom(request.seed, `${idOf(number)}/${window.name}/${sample}`);
        const placed =
          number === REPEATED ? cell.episodes : placedAtRandom(cell.episodes, symbols, cell.bars, random);
        const plan = placed.map((episode) => ({
          ...episode,
          from: episode.from + offset,
          // A position that is open at the end of the arm's run stays open in the plan.
          to: episode.to >= cell.bars ? Number.MAX_SAFE_INTEGER : episode.to + offset,
        }));
        return {
          trial: {
            id: `${number}:${place}/${sample}`,
            parameters: {
              kind: 'random',
              plan: JSON.stringify(plan),
              lot: Number(lot),
              leverage: Number(leverage),
            },
            period: periodOf(ground, window),
          },
        };
      });
    });
  }

  function summed(id: string, own: ReadonlyMap<string, Figures>): TrialResult {
    const byWindow = cells.map((samples, place) =>
      samples.map((_, sample) => own.get(`${place}/${sample}`)!),
    );
    const all = byWindow.flat();
    const total = (name: string): number => all.reduce((sum, figures) => sum + Number(figures[name] ?? 0), 0);
    const means = byWindow
      .filter((samples) => samples.length > 0)
      .map((samples) => meanOf(samples.map(({ totalReturn }) => Number(totalReturn ?? 0))));
    return {
      id,
      outcome: 'completed',
      figures: {
        score: meanOf(means),
        tradeCount: total('tradeCount') + total('openTradeCount'),
        meanExposure: total('meanExposure'),
        turnover: total('turnover'),
        count: all.length,
      },
      seconds: 0,
    };
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Two returns count as equal if their difference is at most this number. */
const EQUAL = 1e-12;

/**
 * Ranks an arm among its random agents. `percentile` is the share of random agents with a lower return. Ties
 * count half. `p` is the share of all returns, including the arm's own return, that are at least as high as
 * the arm's return.
 *
 * The ranked return is the lower of two returns: the arm's return and `repeated`. The latter is the return of
 * an agent that repeats the arm's trades with the orders of a random agent. If an arm is always invested, its
 * random agents have nearly equal returns. A small difference in prices and sizes of orders could then rank
 * the arm above all of them.
 *
 * @param score mean total return of the arm
 */
export function rankAmongRandom(
  score: number,
  { returns, repeated }: Pick<RandomDraws, 'returns' | 'repeated'>,
): { readonly percentile: number; readonly p: number } {
  const judged = Math.min(score, repeated);
  const below = returns.filter((value) => value < judged - EQUAL).length;
  const ties = returns.filter((value) => Math.abs(value - judged) <= EQUAL).length;
  return {
    percentile: (below + ties / 2) / returns.length,
    p: (1 + returns.length - below) / (1 + returns.length),
  };
}
