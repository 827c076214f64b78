import { RunStop } from '../../engine/index.ts';
import type { BudgetLimit } from '../model/budget.ts';
import type { DecisionOptions } from './decision.ts';

type Limited = Pick<DecisionOptions, 'turn' | 'sample' | 'recording' | 'replayOnly' | 'budget' | 'spent'>;

/**
 * Whether a decision's budget is used up before a round; writes down the limit.
 *
 * @throws RunStop where it is the run's
 */
export function limitReached(round: number, options: Limited): boolean {
  const { turn, sample } = options;
  const limit = limitOf(round, options);
  if (limit === undefined) return false;
  turn.record({ type: 'limit_reached', bar: turn.bar, sample, round, ...limit });
  if (limit.scope === 'decision') return true;
  throw new RunStop('budget_exhausted', {
    code: 'budget_exhausted',
    message: `The run's budget of ${limit.allowed} ${limit.limit} is used up at bar ${turn.bar}.`,
    hint: `Go on with: npx sandtable resume RUN --budget ${limit.limit}=MORE`,
  });
}

function limitOf(
  round: number,
  options: Limited,
): { scope: 'run' | 'decision'; limit: BudgetLimit; allowed: number } | undefined {
  const { turn, sample, recording, replayOnly, budget, spent } = options;
  const then = recording?.limit(sample, turn.bar, round);
  if (then !== undefined) return { scope: then.scope, limit: then.limit, allowed: then.allowed };
  // A round that was paid for is not refused afterwards; and no clock is read where a record decides.
  const recorded = recording?.exchange({ sample, bar: turn.bar, round, attempt: 1 }) !== undefined;
  const clock = !recorded && !replayOnly;
  const limit = spent.decision.reached(budget.decision, clock);
  if (limit !== undefined) return { scope: 'decision', limit, allowed: budget.decision[limit]! };
  const ofRun = clock ? spent.run.reached(budget.run, true) : undefined;
  return ofRun === undefined ? undefined : { scope: 'run', limit: ofRun, allowed: budget.run[ofRun]! };
}
