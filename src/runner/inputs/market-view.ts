import type { LoadedStrategy } from '../../agents/index.ts';
import {
  type MaskKind,
  type MaskTerms,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
} from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import {
  canaryFeatures,
  canaryPointInTime,
  canarySeries,
  createMask,
  type GivenWorld,
  maskFiles,
  maskWorld,
  withCanary,
} from '../../masking/index.ts';
import type { GivenFiles } from '../../toolkit/vfs/index.ts';
import type { PreparedRun } from '../run-request.ts';
import type { FittedDetail } from './detail.ts';
import type { WorldFiles } from './load-world.ts';

/**
 * Returns the mask of a run, which hides for example symbols, dates or prices from the strategy. `undefined`
 * if the run has no mask.
 *
 * @throws AppError `bad_flags` for an order script, because its symbols and prices do not exist in a masked
 *   market
 */
export function maskFor(
  { kind, file }: { readonly kind: string; readonly file: string },
  kinds: readonly MaskKind[] | undefined,
  { market, context }: WorldFiles,
  settings: RunSettings,
): MaskTerms | undefined {
  if (kinds === undefined) return undefined;
  if (kind === 'order-script') {
    throw new AppError({
      code: 'bad_flags',
      message: `${file} is an order script. Its symbols and prices do not exist behind a mask.`,
      hint: 'Remove --mask, or use a strategy that reads its market.',
    });
  }
  return createMask(kinds, market, settings.seed, settings, context);
}

/**
 * Returns a function that masks the initial files of an agent. `undefined` if the run has no mask.
 *
 * @throws AppError `mask_leaks` if the strategy's prompt reveals masked data
 */
export function maskFilesFor(
  mask: MaskTerms | undefined,
  { market, rates, context }: WorldFiles,
  detail: FittedDetail | undefined,
  settings: RunSettings,
  strategy: Pick<LoadedStrategy, 'checkMask'> = {},
): ((files: GivenFiles) => GivenFiles) | undefined {
  if (mask === undefined) return undefined;
  const known = [...market.series, ...rates, ...context, ...(detail?.series ?? [])];
  strategy.checkMask?.(known, mask);
  return (files) => maskFiles(files, known, { market, settings }, mask);
}

/**
 * Returns a warning if names in documents may reveal masked symbols. `undefined` if the settings list the
 * `names` of every symbol, or if there is nothing to reveal.
 */
export function unnamedWarning(mask: MaskTerms | undefined, { pointInTime }: WorldFiles): string | undefined {
  if (mask?.kinds.includes('symbols') !== true || pointInTime.documents.length === 0) return undefined;
  const { instruments } = readRunSettings(mask.settings as RunSettingsInput);
  const unnamed = Object.values(mask.symbols).filter((symbol) => instruments[symbol]?.names === undefined);
  if (unnamed.length === 0) return undefined;
  return `The mask does not replace names of companies, people and products in documents. These names may reveal symbols. List the names of ${unnamed.slice(0, 3).join(', ')}${unnamed.length > 3 ? ' …' : ''} in the settings and the mask replaces them, for example {"instruments": {"${unnamed[0]}": {"names": ["Acme Corp", "Acme"]}}}.`;
}

/**
 * Returns the loaded data as the decider (strategy, model or agent) sees them: masked if the run has a mask.
 */
export function seenWorld(
  { market, rates, actions, features, context, pointInTime }: WorldFiles,
  settings: RunSettings,
  mask: MaskTerms | undefined,
  own: Pick<GivenWorld, 'detail' | 'costs'> = {},
): GivenWorld {
  const given: GivenWorld = { market, settings, rates, actions, features, context, pointInTime, ...own };
  return mask === undefined ? given : maskWorld(given, mask);
}

/**
 * Returns the market and account settings of a run as the decider sees them. For a model or agent, canary
 * bars are added after the last bar. A canary bar that appears in the output of a tool shows that the tool
 * has read beyond the current bar.
 */
export function buildMarketView({ strategy, loaded, detail, settings, mask }: PreparedRun): GivenWorld {
  const seen = seenWorld(loaded, settings, mask, { detail: detail?.bars, costs: strategy.costs });
  // In a forward run, the market grows while the run continues and contains no later bars. Canary bars are
  // therefore not needed.
  if (loaded.market.growing === true) return seen;
  if (strategy.kind !== 'llm' && strategy.kind !== 'agent') return seen;
  return {
    ...seen,
    market: withCanary(seen.market),
    rates: canarySeries(seen.rates, seen.market),
    features: canaryFeatures(seen.features ?? [], seen.market),
    context: canarySeries(seen.context ?? [], seen.market),
    ...(seen.pointInTime === undefined
      ? {}
      : { pointInTime: canaryPointInTime(seen.pointInTime, seen.market) }),
  };
}
