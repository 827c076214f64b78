import { isDeepStrictEqual } from 'node:util';
import type { RunSettingsInput } from '../engine/index.ts';
import { type LoadedMarket, loadMarket } from '../market/index.ts';
import { runSettings } from './flags.ts';
import { type DataOptions } from './options.ts';
import { loadOptions } from './load-options.ts';

/**
 * Reads the bars while the strategy is read, and once more where the strategy's own settings need further columns.
 *
 * @param reading the settings that the strategy brings
 * @throws AppError with every fault of the files
 */
export async function loadBars(flags: DataOptions, reading: Promise<RunSettingsInput>): Promise<LoadedMarket> {
  const options = loadOptions(flags, runSettings(flags));
  const loading = loadMarket(options);
  // Awaited below; a failure must not count as unhandled until then.
  loading.catch(() => undefined);
  const settings = await reading.catch(() => ({}));
  const needed = loadOptions(flags, runSettings(flags, settings));
  return isDeepStrictEqual(needed, options) ? loading : loadMarket(needed);
}
