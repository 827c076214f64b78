import type * as Cucumber from '@cucumber/cucumber';
import { AppError } from '../../kernel/index.ts';
import { CheckFailed } from './checked-run.ts';
import { COMPARE_STEPS } from './compare-steps.ts';
import { Desk } from './desk.ts';
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

/**
 * Functions of `@cucumber/cucumber` that are used here. The caller passes its own copy of the library, which
 * runs the features.
 */
export type CucumberApi = Pick<typeof Cucumber, 'Given' | 'When' | 'Then' | 'After'>;

const desks = new WeakMap<object, Desk>();

/** Returns the desk (the state) of a scenario, for any class of World. */
export function deskOf(world: object): Desk {
  const found = desks.get(world);
  if (found !== undefined) return found;
  const desk = new Desk();
  desks.set(world, desk);
  return desk;
}

/**
 * Defines all steps of docs/bdd.md. Call it once, in a file that Cucumber loads.
 *
 * @example `import * as cucumber from '@cucumber/cucumber'; defineSteps(cucumber);`
 */
export function defineSteps(cucumber: CucumberApi): void {
  register(cucumber, Object.values(CATALOGUE).flat());
}

/** Defines only the steps that check runs, for a project with its own steps for creating runs. */
export function defineChecks(cucumber: CucumberApi): void {
  register(
    cucumber,
    Object.values<readonly Step[]>(CATALOGUE)
      .flat()
      .filter(({ keyword }) => keyword === 'Then'),
  );
}

function register(cucumber: CucumberApi, steps: readonly Step[]): void {
  for (const step of steps) {
    const { keyword, pattern, slow } = step;
    const code = bodyOf(step);
    // A backtest may take longer than Cucumber's timeout of five seconds.
    if (slow === true) cucumber[keyword](pattern, { timeout: -1 }, code);
    else cucumber[keyword](pattern, code);
  }
  cucumber.After(async function (this: object, { result }) {
    await desks.get(this)?.clear(result?.status === 'FAILED');
  });
}

/**
 * Cucumber checks the number of a function's parameters. The desk is not a parameter of the step, so it is
 * passed separately.
 */
function bodyOf({ run }: Step): (this: object, ...values: unknown[]) => unknown {
  const body = async function (this: object, ...values: unknown[]): Promise<void> {
    try {
      await run(deskOf(this), ...(values as never[]));
    } catch (error) {
      throw error instanceof AppError ? new CheckFailed(`${error.message}\n  ${error.hint}`) : error;
    }
  };
  return Object.defineProperty(body, 'length', { value: Math.max(run.length - 1, 0) });
}
