import { isDeepStrictEqual } from 'node:util';
import type { RunSettingsInput } from '../engine/index.ts';
import { type LoadedMarket, loadMarket, type Market } from '../market/index.ts';
import { loadOptions } from './load-options.ts';
import { sourceOfMarket } from './market-source.ts';
import type { DataOptions } from './options.ts';

/**
 * Reads the bars while the strategy is read, and once more where the strategy's own settings need further columns.
 *
 * @param reading the settings with those that the strategy brings
 * @param asked the settings without them
 * @param given bars that are in memory already
 * @throws AppError with every fault of the files
 */
export async function loadBars(
  options: DataOptions,
  reading: Promise<RunSettingsInput>,
  asked: RunSettingsInput,
  given: Market | undefined,
): Promise<LoadedMarket> {
  // Its failure is reported by whoever reads the strategy.
  reading.catch(() => undefined);
  if (given !== undefined)
    return { market: given, sources: [sourceOfMarket(given)], adjustments: [], leftOut: [] };
  const wanted = { ...loadOptions(options, asked), keepColumns: true };
  const loading = loadMarket(wanted);
  // Awaited below; a failure must not count as unhandled until then.
  loading.catch(() => undefined);
  const settings = await reading.catch(() => asked);
  const needed = { ...loadOptions(options, settings), keepColumns: true };
  return isDeepStrictEqual(needed, wanted) ? loading : loadMarket(needed);
}
