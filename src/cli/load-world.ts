import {
  type RunSettings,
  type RunSettingsInput,
  spreadColumns,
  type TradedMarket,
  tradedMarket,
} from '../engine/index.ts';
import { type CorporateAction, type LoadedActions, loadActions, loadMarket } from '../market/index.ts';
import type { DataFlags } from './flags.ts';
import { loadBars } from './load-bars.ts';

/** The flags that name files beside the data; settings are read from the rest of them. */
export interface WorldFlags extends DataFlags, Readonly<Record<string, unknown>> {
  readonly fx?: readonly string[] | undefined;
  readonly actions?: string | undefined;
}

/** The files a run's world is made of, read and found good. */
export interface WorldFiles extends TradedMarket {
  /** Of the data and of exchange rates. */
  readonly sources: Awaited<ReturnType<typeof loadMarket>>['sources'];
  readonly adjustments: readonly string[];
  readonly actions: readonly CorporateAction[];
  readonly actionsSource: LoadedActions['source'] | undefined;
}

/**
 * Reads the data, the exchange rates and the corporate actions that flags name.
 *
 * @param reading the settings that a strategy brings, which may need further columns of the data
 * @throws AppError with every fault of the first of them that has any
 */
export async function loadWorldFiles(
  flags: WorldFlags,
  reading: Promise<RunSettingsInput> = Promise.resolve({}),
): Promise<WorldFiles> {
  const data = await loadBars(flags, reading);
  const rates = flags.fx === undefined ? undefined : await loadMarket({ paths: flags.fx, noVolume: true });
  const loaded = flags.actions === undefined ? undefined : await loadActions(flags.actions);
  const actions = loaded?.actions ?? [];
  const others = actions.filter(({ symbol }) => !data.market.symbols.includes(symbol)).length;
  return {
    market: data.market,
    rates: rates?.market.series ?? [],
    sources: [...data.sources, ...(rates?.sources ?? [])],
    adjustments: [
      ...data.adjustments,
      ...(others === 0 ? [] : [`${flags.actions}: left out ${others} of symbols that are not in the data`]),
    ],
    actions,
    actionsSource: loaded?.source,
  };
}

/**
 * Takes the series that only give rates out of the market.
 *
 * @throws AppError `bad_settings` for a currency without rates, and what a column that settings name throws
 */
export function settleWorld<Files extends WorldFiles>(files: Files, settings: RunSettings): Files {
  const loaded = { ...files, ...tradedMarket(files.market, settings, files.rates) };
  // Faults of the data are told before a run folder is made.
  spreadColumns(loaded.market, settings);
  return loaded;
}
