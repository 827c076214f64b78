import { z } from 'zod';
import { defineStrategy, type Strategy } from '../../agent/index.ts';
import { BASELINES, baselineBar, baselineTermsSchema } from './baselines.ts';
import { type PlanState, plannedBar, planSchema } from './planned-bar.ts';

/** Name of `yardstick` in messages to threads. */
export const YARDSTICK = 'sandtable:study-yardstick';

/** Strategy that studies compare with: a baseline, or an agent that trades a random plan. */
export const yardstick = defineStrategy({
  name: 'study-yardstick',
  summary: 'Buying and holding, equal weight, a moving average, momentum, or trades at random.',
  parameters: baselineTermsSchema.extend({
    kind: z.enum([...BASELINES, 'random']),
    plan: z.string().default('[]'),
    lot: z.coerce.number().default(0),
    leverage: z.coerce.number().default(1),
  }),
  state: ({ plan, lot, leverage }) => ({
    first: -1,
    held: '',
    planned: { plan: planSchema.parse(JSON.parse(plan)), lot, leverage, held: [] } as PlanState,
  }),
  onBar(turn, { parameters: { kind, ...terms }, state }) {
    if (kind === 'random') plannedBar(turn, state.planned);
    else baselineBar(turn, kind, terms, state);
  },
}) as Strategy;
