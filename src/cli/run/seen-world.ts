import type { LoadedStrategy } from '../../agent/index.ts';
import {
  createMask,
  type MaskTerms,
  maskMarket,
  maskSettings,
  type RunSettings,
  withCanary,
} from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { Market } from '../../market/index.ts';
import type { WorldFiles } from '../load-world.ts';
import type { AskedRun, PreparedRun } from './asked-run.ts';

/** @throws AppError `bad_flags` for a strategy whose orders name what the mask hides, and for files that it does not reach */
export function maskFor(
  { kind, file }: LoadedStrategy,
  flags: AskedRun['flags'],
  { market }: WorldFiles,
  { seed, slippage }: RunSettings,
): MaskTerms | undefined {
  if (flags.mask === undefined) return undefined;
  if (kind === 'order-script') {
    throw new AppError({
      code: 'bad_flags',
      message: `${file} is a list of orders by symbol and price: it means nothing behind a mask.`,
      remedy: 'Leave --mask out.',
    });
  }
  const open = ['actions', 'fx', 'detail', 'vfs'].filter((name) => flags[name as 'fx'] !== undefined);
  if (slippage?.model === 'spread' && slippage.bps === undefined) open.push('slippage-model');
  if (open.length > 0) {
    throw new AppError({
      code: 'bad_flags',
      message: `A mask does not reach what ${open.map((name) => `--${name}`).join(' and ')} brings in.`,
      remedy: 'Leave one of the two out.',
    });
  }
  return createMask(flags.mask, market, seed);
}

/** Settings as they mean the same in the world that is walked. */
export function seenSettings({ settings, mask }: PreparedRun): RunSettings {
  return mask === undefined ? settings : maskSettings(settings, mask);
}

/** The market that is walked: behind the mask, and for a model with bars after its last that nobody may ever see. */
export function seenMarket({ strategy, loaded, detail, mask }: PreparedRun): Market {
  const market = mask === undefined ? loaded.market : maskMarket(loaded.market, mask);
  // Actions, rates and finer bars are held against the bars: they must not meet any that are made up.
  const bare = loaded.actions.length === 0 && loaded.rates.length === 0 && detail === undefined;
  return strategy.kind === 'llm' && bare ? withCanary(market) : market;
}
