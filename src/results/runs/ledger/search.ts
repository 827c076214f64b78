import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Trial } from '../../analysis/index.ts';
import type { DataSource, Manifest } from '../manifest.ts';
import { isStudyFolder } from '../stores/study-store.ts';

/**
 * Key of a search. Runs of one strategy with different parameters on the same data are trials of one search
 * and have equal keys.
 */
export type SearchKey = string;

// Fields of `summary.json` that a search needs. Other fields are not checked, because a folder may contain
// thousands of summaries and older summaries lack newer fields.
const summedSchema = z.object({
  runId: z.string(),
  firstBar: z.string().nullable(),
  lastBar: z.string().nullable(),
  periodsPerYear: z.number().positive(),
  sharpe: z.number().nullable(),
  volatility: z.number().nullable(),
  maxDrawdown: z.number().nullable(),
  exposure: z.number().nullable(),
  finalEquity: z.string(),
  tradeCount: z.number(),
});
type Summed = Omit<z.infer<typeof summedSchema>, 'runId'>;

/**
 * Returns the key of the search that a run belongs to. The key contains the research project, the name and
 * kind of the strategy, the hashes of the data, and the period. Parameters, settings, seed and the strategy's
 * file are not part of the key, because each can be varied in a search.
 *
 * @returns `undefined` for a run that did not process all of its bars
 */
export function searchOf(manifest: Manifest, { firstBar, lastBar }: Summed): SearchKey | undefined {
  const { strategy, data, journal } = manifest;
  if (journal.barsWalked !== data.bars) return undefined;
  return searchKey({ ...data, project: manifest.project, strategy, firstBar, lastBar });
}

/**
 * Returns the key of the search that a trial of a sweep belongs to. A run with the same inputs has the same
 * key.
 */
export function searchKey(trial: {
  /** Named research project. Undefined for the default project. */
  readonly project?: string | undefined;
  readonly strategy: { readonly name: string; readonly kind: string };
  readonly symbols: readonly string[];
  readonly bars: number;
  readonly firstBar: string | null;
  readonly lastBar: string | null;
  readonly sources: readonly Pick<DataSource, 'sha256' | 'simulation' | 'symbols'>[];
}): SearchKey {
  const { project, strategy, symbols, bars, firstBar, lastBar } = trial;
  const sources = trial.sources.map(({ sha256, simulation, symbols: own }) => [
    sha256,
    simulation ?? null,
    own,
  ]);
  return JSON.stringify([
    strategy.name,
    strategy.kind,
    symbols,
    bars,
    firstBar,
    lastBar,
    sources,
    ...(project === undefined ? [] : [project]),
  ]);
}

/** Returns the main figures of a run as one text. Runs with equal texts count as the same trial. */
export function resultText(figures: Readonly<Record<string, unknown>>): string {
  const { finalEquity, sharpe, volatility, maxDrawdown, exposure, tradeCount } = figures;
  // The final equity is a number in sweeps and a decimal string in runs.
  return JSON.stringify([Number(finalEquity), sharpe, volatility, maxDrawdown, exposure, tradeCount]);
}

/**
 * Returns a run as a trial of a search. Converts the annualised Sharpe ratio of the summary to a Sharpe ratio
 * per session.
 */
export function trialOf(runId: string, folder: string, summary: Summed): Trial {
  const { sharpe, periodsPerYear } = summary;
  return {
    runId,
    folder,
    sharpe: sharpe === null ? null : sharpe / Math.sqrt(periodsPerYear),
    result: resultText(summary),
  };
}

/**
 * Returns the results folder of a run. The run may be one of several samples (runs with the same inputs) in a
 * common folder. In this case, the result is the folder that contains the common folder. For a run of a
 * study, the result is the folder that contains the study's folder.
 */
export function storeOf(folder: string): string {
  const parent = dirname(resolve(folder));
  // The path of a run in a study is STUDY/runs/ARM/WINDOW/sample-1.
  const study = resolve(parent, '../../..');
  if (isStudyFolder(study)) return dirname(study);
  return existsSync(join(parent, 'samples.json')) ? dirname(parent) : parent;
}

/**
 * Returns the trials of each search, from the runs in a results folder. Runs of one strategy with different
 * parameters on the same data are trials of one search. Ignores runs without a summary or a manifest.
 *
 * @param strategies names of the strategies to include. Other runs are skipped for speed
 */
export function searchesIn(store: string, strategies: ReadonlySet<string>): Map<SearchKey, Trial[]> {
  const searches = new Map<SearchKey, Trial[]>();
  const words = [...strategies].map((name) => JSON.stringify(name));
  for (const folder of runFolders(store)) {
    const text = readText(join(folder, 'summary.json'));
    if (text === undefined || !words.some((word) => text.includes(word))) continue;
    const summary = summedSchema.safeParse(parsed(text));
    const manifest = parsed(readText(join(folder, 'manifest.json')) ?? '') as Manifest | undefined;
    if (!summary.success || manifest === undefined) continue;
    const key = keyOf(manifest, summary.data);
    if (key === undefined) continue;
    const trial = trialOf(summary.data.runId, folder, summary.data);
    const found = searches.get(key);
    if (found === undefined) searches.set(key, [trial]);
    else found.push(trial);
  }
  return searches;
}

// The manifest is read without a schema. Fields of an edited manifest may be missing, so `searchOf` may
// throw.
function keyOf(manifest: Manifest, summary: Summed): SearchKey | undefined {
  try {
    return searchOf(manifest, summary);
  } catch {
    return undefined;
  }
}

function runFolders(store: string): string[] {
  const namesIn = (folder: string): string[] => {
    try {
      // Symbolic links are not followed, because they may lead to any folder.
      return readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map(({ name }) => name);
    } catch {
      return [];
    }
  };
  return namesIn(store).flatMap((name) => {
    const folder = join(store, name);
    if (!existsSync(join(folder, 'samples.json'))) return [folder];
    return namesIn(folder)
      .filter((sample) => sample.startsWith('sample-'))
      .map((sample) => join(folder, sample));
  });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
