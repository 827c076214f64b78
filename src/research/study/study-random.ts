import type { Strategy } from '../../agent/index.ts';
import type { StudyCell } from '../../analysis/index.ts';
import { createRandom } from '../../kernel/index.ts';
import { openTrialWorld, SILENT } from '../../runner/index.ts';
import type { TrialResult } from '../executor.ts';
import { InProcess } from '../in-process.ts';
import type { SweepJournal } from '../sweep-folder.ts';
import type { Arm } from './arms.ts';
import { placedAtRandom, randomAgent } from './random-agent.ts';
import type { StudyRequest } from './study-file.ts';
import { periodOf, roomOf, type StudyGround, settingsOf } from './study-ground.ts';

/** What the random agents of an arm came to. */
export interface RandomDraws {
  /** Mean total return over windows and samples, a draw each. */
  readonly returns: readonly number[];
  readonly tradeCount: number;
  readonly exposure: number | null;
}

/**
 * Agents that trade as often, as long and as large as an arm did, at random: each draw has one for each of its runs.
 *
 * @param cells by window, its samples
 * @returns undefined where the arm made no trade, or was stopped
 */
export async function runRandomAgents(
  request: StudyRequest,
  ground: StudyGround,
  journal: SweepJournal,
  arm: Arm,
  cells: readonly (readonly StudyCell[])[],
  signal: AbortSignal,
): Promise<RandomDraws | undefined> {
  const traded = cells.map((samples) => samples.filter(({ episodes }) => episodes.length > 0));
  if (traded.every((samples) => samples.length === 0)) return undefined;
  const world = await openTrialWorld(
    {
      strategy: randomAgent as Strategy,
      parameters: { plan: '[]' },
      options: request.options,
      settings: settingsOf(request),
      files: ground.world.files,
    },
    { environment: {}, observer: SILENT, listen: () => ({ signal, release: () => undefined }) },
  );
  const executor = new InProcess(world);
  const returns: number[] = [];
  let [trades, exposure, runs] = [0, 0, 0];
  try {
    for (let draw = 0; draw < request.random; draw++) {
      const id = `random/${arm.name}/${draw}`;
      let known = journal.get(id);
      if (known === undefined) {
        if (signal.aborted) return undefined;
        known = await drawn(id);
        journal.add(known);
      }
      const { score, tradeCount, meanExposure, count } = known.figures as Record<string, number>;
      returns.push(score!);
      trades += tradeCount!;
      exposure += meanExposure!;
      runs += count!;
    }
  } finally {
    await world.close();
  }
  return { returns, tradeCount: trades / runs, exposure: exposure / runs };

  async function drawn(id: string): Promise<TrialResult> {
    const tasks = cells.flatMap((samples, place) => {
      const window = request.windows[place]!;
      const { symbols, offset } = roomOf(ground, window);
      return samples.map((cell, sample) => {
        const random = createRandom(request.seed, `${id}/${window.name}/${sample}`);
        const plan = placedAtRandom(cell.episodes, symbols, cell.bars, random).map((episode) => ({
          ...episode,
          from: episode.from + offset,
          // What was held to the end is held to the end.
          to: episode.to >= cell.bars ? Number.MAX_SAFE_INTEGER : episode.to + offset,
        }));
        return {
          place,
          trial: {
            id: `${place}`,
            parameters: { plan: JSON.stringify(plan) },
            period: periodOf(ground, window),
          },
        };
      });
    });
    const byWindow = cells.map((): number[] => []);
    let [tradeCount, meanExposure, count] = [0, 0, 0];
    for await (const { id: place, figures } of executor.run(tasks)) {
      byWindow[Number(place)]!.push(Number(figures?.totalReturn ?? 0));
      tradeCount += Number(figures?.tradeCount ?? 0) + Number(figures?.openTradeCount ?? 0);
      meanExposure += Number(figures?.meanExposure ?? 0);
      count += 1;
    }
    const means = byWindow.filter((own) => own.length > 0).map(meanOf);
    return {
      id,
      outcome: 'completed',
      figures: { score: meanOf(means), tradeCount, meanExposure, count },
      seconds: 0,
    };
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
