import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isResult } from '../../engine/index.ts';
import { thrownText } from '../../kernel/index.ts';
import { jsonText, type TrialColumn, writeWhole } from '../../results/runs/index.ts';
import { runRequested, SILENT } from '../../runner/index.ts';
import { FIGURE_NAMES, figureType } from './figures.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SweepContext } from './sweep-request.ts';
import type { SearchEnd } from './trial-runner.ts';

/** Run folder of the best combination. */
interface BestRun {
  readonly folder: string;
  /**
   * Error of the run. `undefined` if the run succeeded. A run can fail although its trial succeeded, because
   * only a run checks a Python strategy completely for look-ahead.
   */
  readonly error: string | undefined;
}

/** Run folders that a sweep stores. */
interface KeptRuns {
  readonly best: BestRun | undefined;
  /** Names of the stored run folders, by trial id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Writes the run folders of the trials that the option `keep` selects. */
export async function keepRuns(
  folder: string,
  prepared: PreparedSweep,
  { tried, best }: SearchEnd,
  context: SweepContext,
): Promise<KeptRuns> {
  const { request, period, holdoutFrom, files } = prepared;
  // A model can answer differently when a trial is run again. The run folders of model-driven strategies are
  // therefore not written by default.
  const { keep = prepared.strategy.kind === 'llm' ? 'none' : 'best', strategy } = request;
  const names = new Map<string, string>();
  if (keep === 'none') return { best: undefined, names };
  const wanted = keep === 'all' ? tried.filter(({ share }) => share === 1) : best === undefined ? [] : [best];
  const out = join(folder, 'runs');
  mkdirSync(out, { recursive: true });
  let bestRun: BestRun | undefined;
  for (const one of wanted) {
    const run = await runRequested(
      {
        strategy,
        parameters: one.trial.parameters,
        options: { ...request.options, out, ...(holdoutFrom === undefined ? {} : { to: period.to }) },
        settings: {
          ...request.settings,
          ...(period.evaluateFrom === undefined ? {} : { evaluateFrom: period.evaluateFrom }),
        },
        ...(request.market === undefined ? {} : { market: files.market }),
      },
      {
        ...context,
        observer: SILENT,
        listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
      },
    );
    if (run === undefined) continue;
    names.set(one.trial.id, basename(run.folder));
    if (one !== best) continue;
    const { folder: own, outcome, error } = run;
    bestRun = { folder: own, error: isResult(outcome) ? undefined : thrownText(error) };
  }
  return { best: bestRun, names };
}

/** Returns the rows of `trials.parquet`, in the order in which the search chose the trials. */
export function rowsOf(
  prepared: PreparedSweep,
  { tried }: SearchEnd,
): [TrialColumn[], (string | number | boolean | null)[][]] {
  const names = Object.keys(tried[0]?.trial.parameters ?? prepared.first);
  const fixed = ['trial', 'outcome', 'error', 'objective', 'share'];
  const columns: TrialColumn[] = [
    { name: 'trial', type: 'text' },
    ...names.map((name): TrialColumn => {
      const values = tried.map(({ trial }) => typeof trial.parameters[name]);
      const type = values.every((one) => one === 'number')
        ? 'number'
        : values.every((one) => one === 'boolean')
          ? 'boolean'
          : 'text';
      return { name: fixed.includes(name) || FIGURE_NAMES.includes(name) ? `param_${name}` : name, type };
    }),
    { name: 'outcome', type: 'text' },
    { name: 'error', type: 'text' },
    { name: 'objective', type: 'number' },
    { name: 'share', type: 'number' },
    ...FIGURE_NAMES.map((name): TrialColumn => ({ name, type: figureType(name) })),
  ];
  const rows = tried.map(({ trial, result, objective, share }) => [
    trial.id,
    ...names.map((name) => trial.parameters[name] ?? null),
    result.outcome,
    result.error?.message ?? null,
    objective,
    share,
    ...FIGURE_NAMES.map((name) => result.figures?.[name] ?? null),
  ]);
  return [columns, rows];
}

export function writeTimings(folder: string, { tried }: SearchEnd, seconds: number): void {
  const trials = Object.fromEntries(tried.map(({ trial, result }) => [trial.id, result.seconds]));
  writeWhole(join(folder, 'timings.json'), jsonText({ seconds, trials }));
}
