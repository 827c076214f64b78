import { isDeepStrictEqual } from 'node:util';
import type { RunSettingsInput } from '../engine/index.ts';
import { type LoadedMarket, loadMarket, type Market } from '../market/index.ts';
import { loadOptions } from './load-options.ts';
import { sourceOfMarket } from './market-source.ts';
import type { DataOptions } from './options.ts';

/**
 * Reads the bars while the strategy is read. Reads them again if the strategy's settings need further
 * columns. `asked` are the settings without those of the strategy.
 *
 * @param reading settings including those of the strategy
 * @param given bars in memory
 * @throws AppError with every fault of the files
 */
export async function loadBars(
  options: DataOptions,
  reading: Promise<RunSettingsInput>,
  asked: RunSettingsInput,
  given: Market | undefined,
): Promise<LoadedMarket> {
  // The caller that reads the strategy reports its failure.
  reading.catch(() => undefined);
  if (given !== undefined)
    return { market: given, sources: [sourceOfMarket(given)], adjustments: [], leftOut: [] };
  const wanted = { ...loadOptions(options, asked), keepColumns: true };
  const loading = loadMarket(wanted);
  // Awaited below. Until then a failure must not count as an unhandled rejection.
  loading.catch(() => undefined);
  const settings = await reading.catch(() => asked);
  const needed = { ...loadOptions(options, settings), keepColumns: true };
  return isDeepStrictEqual(needed, wanted) ? loading : loadMarket(needed);
}
