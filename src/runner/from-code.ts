import { type Environment, withEnvFile } from '../agent/index.ts';
import { type BarSeries, createMarket, type Market } from '../market/index.ts';
import { type RunContext, SILENT } from './context.ts';
import type { RunOptions } from './options.ts';

/** Data passed by a program: a data file, folder or glob, several of them, or bars in memory. */
export type GivenData = string | readonly string[] | Market | readonly BarSeries[];

/** Converts data passed in code for a runner. */
export function givenData(
  data: GivenData,
  options: RunOptions,
): { readonly options: RunOptions; readonly market?: Market } {
  if (typeof data === 'string') return { options: { ...options, data: [data] } };
  if (!Array.isArray(data)) return { options, market: data as Market };
  const given: readonly (string | BarSeries)[] = data;
  const paths = given.filter((one) => typeof one === 'string');
  if (paths.length === given.length) return { options: { ...options, data: paths } };
  return { options, market: createMarket(given.filter((one) => typeof one !== 'string')) };
}

/** Listeners for work that a program starts. */
export interface CodeListeners {
  readonly signal?: AbortSignal | undefined;
  readonly environment?: Environment | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

/**
 * Context for work that a program starts.
 *
 * @param units plural unit of the progress
 */
export function codeContext(
  {
    signal = new AbortController().signal,
    environment = withEnvFile(process.env),
    onProgress,
    onNote,
  }: CodeListeners,
  units: readonly string[],
): RunContext {
  return {
    environment,
    observer: {
      ...SILENT,
      note: (text) => onNote?.(text),
      warn: (text) => onNote?.(text),
      progress(_label, done, total, unit) {
        if (units.includes(unit)) onProgress?.(done, total);
      },
    },
    listen: () => ({ signal, release: () => undefined }),
  };
}
