import type * as Cucumber from '@cucumber/cucumber';
import { AppError } from '../kernel/index.ts';
import { CATALOGUE } from './catalogue.ts';
import { CheckFailed } from './check-failed.ts';
import { Desk } from './desk.ts';
import type { Step } from './step.ts';

/** What is used of `@cucumber/cucumber`: the copy that runs the features, which only their own project knows. */
export type CucumberApi = Pick<typeof Cucumber, 'Given' | 'When' | 'Then' | 'After'>;

const desks = new WeakMap<object, Desk>();

/** The desk of a scenario, whatever its World is made of. */
export function deskOf(world: object): Desk {
  const found = desks.get(world);
  if (found !== undefined) return found;
  const desk = new Desk();
  desks.set(world, desk);
  return desk;
}

/**
 * Defines all steps of docs/bdd.md: call it once, in a file that Cucumber loads.
 *
 * @example `import * as cucumber from '@cucumber/cucumber'; defineSteps(cucumber);`
 */
export function defineSteps(cucumber: CucumberApi): void {
  register(cucumber, Object.values(CATALOGUE).flat());
}

/** Defines only the steps that check runs, for a project whose own steps make them. */
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
    // A backtest takes as long as it takes: Cucumber's five seconds are not for it.
    if (slow === true) cucumber[keyword](pattern, { timeout: -1 }, code);
    else cucumber[keyword](pattern, code);
  }
  cucumber.After(async function (this: object, { result }) {
    await desks.get(this)?.clear(result?.status === 'FAILED');
  });
}

/** Cucumber counts a function's parameters, and the desk is none of a feature's. */
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
