import { COMPARE_STEPS } from './compare-steps.ts';
import { FIGURE_STEPS } from './figure-steps.ts';
import { RECORD_STEPS } from './record-steps.ts';
import { RUN_STEPS } from './run-steps.ts';
import type { Step } from './step.ts';
import { WORLD_STEPS } from './world-steps.ts';

/** All steps, by the headings of docs/bdd.md. */
export const CATALOGUE = {
  'What is run': WORLD_STEPS,
  Figures: FIGURE_STEPS,
  'Runs against each other': COMPARE_STEPS,
  'Trades, fills and orders': RECORD_STEPS,
  'How it ended, and whether it can be believed': RUN_STEPS,
} as const satisfies Readonly<Record<string, readonly Step[]>>;
