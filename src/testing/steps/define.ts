import { join } from 'node:path';
import type * as Cucumber from '@cucumber/cucumber';
import { AppError } from '../../kernel/index.ts';
import { VERDICT_WORDS } from '../../results/analysis/index.ts';
import { sha256OfFile } from '../../results/runs/index.ts';
import { CheckFailed } from './checked-run.ts';
import { Desk } from './desk.ts';
import { COMPARE_STEPS, FIGURE_STEPS } from './figure-steps.ts';
import { RECORD_STEPS } from './record-steps.ts';
import type { Step } from './step.ts';
import { WORLD_STEPS } from './world-steps.ts';

const KNOWN_VERDICTS = Object.values(VERDICT_WORDS).map((word) => word.toLowerCase());

/** Steps that check how a run ended and if its result is reliable. */
const RUN_STEPS: readonly Step[] = [
  {
    keyword: 'Then',
    pattern: 'the run ended {word}',
    example: 'the run ended failed',
    about: '`completed`, `failed`, `insolvent`, `stopped`, `budget_exhausted` or `interrupted`.',
    run(desk: Desk, outcome: string) {
      const run = desk.run(null, { anyEnd: true });
      run.endSeen = true;
      const { record } = run;
      if (record.outcome === outcome) return;
      const words = run.words === '' ? '' : `\n${run.words}`;
      throw new CheckFailed(
        `${run.name} ended "${record.outcome}" after ${record.bars.length} bars, not "${outcome}".${words}${run.place}`,
      );
    },
  },
  {
    keyword: 'Then',
    pattern: 'the verdict is {string}',
    example: 'the verdict is "no evidence"',
    about:
      '`broke`, `incomplete`, `no evidence`, `indistinguishable`, `worse` or `better`; see [metrics.md](metrics.md).',
    run(desk: Desk, words: string) {
      const run = desk.run(null, { anyEnd: true });
      const { state, because } = run.summary.verdict;
      const wanted = KNOWN_VERDICTS.find((word) => word === words.trim().toLowerCase());
      if (wanted === undefined)
        throw new CheckFailed(`Unknown verdict "${words}".\n  Verdicts: ${KNOWN_VERDICTS.join(', ')}.`);
      const found = VERDICT_WORDS[state].toLowerCase();
      if (found !== wanted)
        throw new CheckFailed(
          `${run.name}: the verdict is "${found}", not "${wanted}". ${because.join(' ')}${run.place}`,
        );
    },
  },
  {
    keyword: 'Then',
    pattern: 'the backtest is refused, saying {string}',
    example: 'the backtest is refused, saying "no-such-prices.csv"',
    about: 'After `the backtest runs, however it ends`. The input was invalid, and no run was made.',
    run(desk: Desk, words: string) {
      const refusal = desk.seeRefusal();
      if (refusal === undefined) throw new CheckFailed('The backtest was not refused.');
      if (!refusal.includes(words))
        throw new CheckFailed(`The backtest was refused with another message:\n${refusal}`);
    },
  },
  {
    keyword: 'Then',
    pattern: 'the run is sealed',
    example: 'the run is sealed',
    about: 'Only its inputs could influence the run, and its journal matches the hash in its manifest.',
    run(desk: Desk) {
      const run = desk.run();
      if (!run.summary.sealed)
        throw new CheckFailed(`${run.name} is not sealed: ${run.summary.openDoors.join(', ')}.${run.place}`);
      if (run.folder === undefined) return;
      const journal = join(run.folder, 'journal.jsonl');
      if (run.vouchedFor === undefined)
        throw new CheckFailed(`${run.name} has no manifest with the hash of its journal.${run.place}`);
      if (sha256OfFile(journal) !== run.vouchedFor)
        throw new CheckFailed(
          `The journal of ${run.name} does not match the hash in its manifest.${run.place}`,
        );
    },
  },
  {
    keyword: 'Then',
    pattern: 'the run repeats byte for byte',
    example: 'the run repeats byte for byte',
    slow: true,
    about: 'Replays it as `sandtable replay` does and compares every line with its journal.',
    async run(desk: Desk) {
      const run = desk.run();
      if (run.folder === undefined) throw new CheckFailed(`${run.name} has no folder to replay it from.`);
      const words = await desk.replay(run.folder);
      if (words !== undefined) throw new CheckFailed(`${run.name} does not repeat:\n${words}${run.place}`);
    },
  },
  {
    keyword: 'Then',
    pattern: 'the model was asked {int} time(s)',
    example: 'the model was asked 2 times',
    run(desk: Desk, times: number) {
      const run = desk.run();
      const { model } = run.summary;
      if (model === null) throw new CheckFailed(`${run.name} has no model.${run.place}`);
      if (model.requests !== times)
        throw new CheckFailed(
          `${run.name}: the model received ${model.requests} requests, not ${times}.${run.place}`,
        );
    },
  },
  {
    keyword: 'Then',
    pattern: 'the scripted model played to its end',
    example: 'the scripted model played to its end',
    about: 'The script answered every request, and all of its steps were used.',
    run({ model }: Desk) {
      if (model === undefined)
        throw new CheckFailed(
          'There is no scripted model. Add the step: Given a scripted model that plays "model.json".',
        );
      const left = model.leftover();
      if (model.unexpected.length === 0 && left.length === 0) return;
      const lines = [...model.unexpected, ...left].map((line) => `  ${line}`);
      throw new CheckFailed(`The scripted model did not follow its script:\n${lines.join('\n')}`);
    },
  },
];

/** All steps, by the headings in docs/bdd.md. */
export const CATALOGUE = {
  'Inputs and runs': WORLD_STEPS,
  Figures: FIGURE_STEPS,
  'Comparisons of runs': COMPARE_STEPS,
  'Trades, fills and orders': RECORD_STEPS,
  'Outcome and reliability': RUN_STEPS,
} as const satisfies Readonly<Record<string, readonly Step[]>>;

/**
 * Functions of `@cucumber/cucumber` that are used here. The caller passes them from its own copy of the
 * library, because that copy runs the feature files.
 */
export type CucumberApi = Pick<typeof Cucumber, 'Given' | 'When' | 'Then' | 'After'>;

const desks = new WeakMap<object, Desk>();

/**
 * Returns the desk of a scenario, which contains its state. Works with any class that Cucumber uses as the
 * World.
 */
export function deskOf(world: object): Desk {
  const found = desks.get(world);
  if (found !== undefined) return found;
  const desk = new Desk();
  desks.set(world, desk);
  return desk;
}

/**
 * Defines all steps of docs/bdd.md. Must be called once, in a file that Cucumber loads.
 *
 * @example `import * as cucumber from '@cucumber/cucumber'; defineSteps(cucumber);`
 */
export function defineSteps(cucumber: CucumberApi): void {
  register(cucumber, Object.values(CATALOGUE).flat());
}

/** Defines only the `Then` steps, which check runs. For projects that create runs with their own steps. */
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
    // Disables Cucumber's timeout of five seconds, because a backtest may take longer.
    if (slow === true) cucumber[keyword](pattern, { timeout: -1 }, code);
    else cucumber[keyword](pattern, code);
  }
  cucumber.After(async function (this: object, { result }) {
    await desks.get(this)?.clear(result?.status === 'FAILED');
  });
}

/**
 * Returns the function of a step for Cucumber. The function must have as many parameters as captured values.
 * The desk is therefore not a parameter, and `length` is set to the number of the other parameters.
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
