import { neededColumns } from '../broker/index.ts';
import type { RunSettingsInput } from '../engine/index.ts';
import type { LoadOptions } from '../market/index.ts';
import type { DataOptions } from './options.ts';

/** @param settings may require columns of the data other than those of the bars */
export function loadOptions(options: DataOptions, settings: RunSettingsInput = {}): LoadOptions {
  const extraColumns = neededColumns(settings);
  return {
    ...(extraColumns.length === 0 ? {} : { extraColumns }),
    paths: options.data ?? [],
    ...(options.symbol === undefined ? {} : { symbols: options.symbol }),
    ...(options.from === undefined ? {} : { from: options.from }),
    ...(options.to === undefined ? {} : { to: options.to }),
    ...(options.allowGaps === undefined ? {} : { allowGaps: options.allowGaps }),
    ...(options.sort === undefined ? {} : { sortRows: options.sort }),
    ...(options.volume === false ? { noVolume: true } : {}),
    ...(options.interval === undefined ? {} : { interval: options.interval }),
    ...(options.dateOrder === undefined ? {} : { dateOrder: options.dateOrder }),
    ...(options.timezone === undefined ? {} : { timezone: options.timezone }),
    ...(options.columns === undefined ? {} : { columns: options.columns }),
    ...(options.maxUnpacked === undefined ? {} : { unpackedLimit: options.maxUnpacked }),
  };
}
