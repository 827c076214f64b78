import { z } from 'zod';
import type { BarContext } from '../../engine/index.ts';

/** Baselines that every strategy of a study is compared with, in the order of its tables. */
export const BASELINES = ['buy-and-hold', 'equal-weight', 'sma', 'momentum'] as const;
export type Baseline = (typeof BASELINES)[number];

/** Terms of the baselines. */
export interface BaselineTerms {
  readonly sma: number;
  readonly momentum: number;
  readonly top?: number | undefined;
  readonly rebalance: number;
}

export const baselineTermsSchema = z.object({
  sma: z.coerce.number().int().default(20),
  momentum: z.coerce.number().int().default(20),
  top: z.coerce.number().int().optional(),
  rebalance: z.coerce.number().int().default(21),
});

/** State of a baseline: its first bar and its positions. */
export interface BaselineState {
  first: number;
  held: string;
}

/** Trades one bar of a baseline, with the costs and fill rules of every run. */
export function baselineBar(
  turn: BarContext,
  kind: Baseline,
  terms: z.infer<typeof baselineTermsSchema>,
  state: BaselineState,
): void {
  if (state.first < 0) state.first = turn.bar;
  const since = turn.bar - state.first;
  const isDue = since % terms.rebalance === 0;
  const symbols = turn.symbols.filter((symbol) => turn.windowOf(symbol).length > 0);
  switch (kind) {
    case 'buy-and-hold':
      if (since === 0) hold(turn, symbols, symbols.length);
      return;
    case 'equal-weight':
      if (isDue) hold(turn, symbols, symbols.length);
      return;
    case 'sma': {
      const above = symbols.filter((symbol) => isAbove(turn, symbol, terms.sma));
      // Orders only if the set of symbols changes. Otherwise weights drift.
      if (since > 0 && above.join(' ') === state.held) return;
      state.held = above.join(' ');
      hold(turn, above, symbols.length);
      return;
    }
    case 'momentum':
      if (isDue) {
        const count = terms.top ?? Math.max(1, Math.round(symbols.length / 4));
        hold(turn, strongest(turn, symbols, terms.momentum, count), Math.min(count, symbols.length));
      }
  }
}

/** Returns the parameters of a baseline. */
export function baselineParameters(
  kind: Baseline,
  { sma, momentum, top, rebalance }: BaselineTerms,
): Readonly<Record<string, string | number>> {
  return { kind, sma, momentum, ...(top === undefined ? {} : { top }), rebalance };
}

/** Describes a baseline. */
export function baselineText(kind: Baseline, { sma, momentum, top, rebalance }: BaselineTerms): string {
  const often = `every ${rebalance} bars`;
  return {
    'buy-and-hold': 'all symbols in equal parts, bought once and held',
    'equal-weight': `all symbols in equal parts, brought back to them ${often}`,
    sma: `each symbol in its equal part while its close is above the mean of its last ${sma}`,
    momentum: `the ${top ?? 'quarter of symbols'} with the highest return over ${momentum} bars, in equal parts, chosen anew ${often}`,
  }[kind];
}

/** Rebalances to equal weights of 1 / `parts` per symbol. All other positions are sold. */
function hold({ orders }: BarContext, symbols: readonly string[], parts: number): void {
  // Rounded down, because weights whose sum exceeds 1 are refused.
  const weight = Math.floor(1e6 / Math.max(1, parts)) / 1e6;
  orders.rebalance({ weights: Object.fromEntries(symbols.map((symbol) => [symbol, weight])) });
}

function isAbove(turn: BarContext, symbol: string, bars: number): boolean {
  const { close } = turn.windowOf(symbol);
  return close.last > close.mean(bars);
}

function strongest(turn: BarContext, symbols: readonly string[], bars: number, count: number): string[] {
  return symbols
    .flatMap((symbol) => {
      const { close } = turn.windowOf(symbol);
      const growth = close.last / close.at(close.length - 1 - bars);
      return Number.isFinite(growth) ? [{ symbol, growth }] : [];
    })
    .sort((one, other) => other.growth - one.growth || (one.symbol < other.symbol ? -1 : 1))
    .slice(0, count)
    .map(({ symbol }) => symbol);
}
