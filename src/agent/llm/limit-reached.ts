import { RunStop } from '../../engine/index.ts';
import type { AgentBudget } from '../model/budget.ts';
import type { DecisionOptions } from './decision-options.ts';

type Limited = Pick<
  DecisionOptions,
  'turn' | 'sample' | 'speaker' | 'recording' | 'replayOnly' | 'budget' | 'spent'
>;

/**
 * Returns true if a decision's budget is used up before a round. Records the limit.
 *
 * @throws RunStop if the run's budget is used up
 */
export function limitReached(round: number, options: Limited): boolean {
  const { turn, sample, speaker } = options;
  const limit = limitOf(round, options);
  if (limit === undefined) return false;
  turn.record({ type: 'limit_reached', bar: turn.bar, sample, ...speaker, round, ...limit });
  if (limit.scope !== 'run') return true;
  throw new RunStop('budget_exhausted', {
    code: 'budget_exhausted',
    message: `The run's budget of ${limit.allowed} ${limit.limit} is used up at bar ${turn.bar}.`,
    hint: `Go on with: npx sandtable resume RUN --budget ${limit.limit}=MORE`,
  });
}

function limitOf(
  round: number,
  options: Limited,
): { scope: 'run' | 'decision' | 'role'; limit: keyof AgentBudget; allowed: number } | undefined {
  const { turn, sample, speaker, recording, replayOnly, budget, spent } = options;
  const step = speaker?.step;
  const then = recording?.limit(sample, turn.bar, round, step);
  if (then !== undefined) return { scope: then.scope, limit: then.limit, allowed: then.allowed };
  // A recorded round has been paid for and is never refused. Replays must not depend on the clock.
  const recorded = recording?.exchange({ sample, bar: turn.bar, step, round, attempt: 1 }) !== undefined;
  const clock = !recorded && !replayOnly;
  for (const scope of ['role', 'decision'] as const) {
    const limit = spent[scope].reached(budget[scope], clock);
    if (limit !== undefined) return { scope, limit, allowed: budget[scope][limit]! };
  }
  const ofRun = clock ? spent.run.reached(budget.run, true) : undefined;
  return ofRun === undefined ? undefined : { scope: 'run', limit: ofRun, allowed: budget.run[ofRun]! };
}
