import type * as Cucumber from '@cucumber/cucumber';
import { AppError } from '../kernel/index.ts';
import { CATALOGUE } from './catalogue.ts';
import { CheckFailed } from './check-failed.ts';
import { Desk } from './desk.ts';
import type { Step } from './step.ts';

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
