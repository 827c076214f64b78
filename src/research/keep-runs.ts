import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runRequested, SILENT } from '../runner/index.ts';
import type { PreparedSweep } from './prepare-sweep.ts';
import type { SweepContext } from './sweep-request.ts';
import type { SearchEnd } from './trial-runner.ts';

/** Writes the run folders selected by `keep`. Returns the folder of the best run. */
export async function keepRuns(
  folder: string,
  prepared: PreparedSweep,
  { tried, best }: SearchEnd,
  context: SweepContext,
): Promise<string | undefined> {
  const { request, period, holdoutFrom, files } = prepared;
  // A rerun of a model-driven strategy can answer differently, so its run folders are not written by default.
  const { keep = prepared.strategy.kind === 'llm' ? 'none' : 'best', strategy } = request;
  if (keep === 'none') return undefined;
  const wanted = keep === 'all' ? tried.filter(({ share }) => share === 1) : best === undefined ? [] : [best];
  const out = join(folder, 'runs');
  mkdirSync(out, { recursive: true });
  let bestFolder: string | undefined;
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
    if (one === best) bestFolder = run?.folder;
  }
  return bestFolder;
}
