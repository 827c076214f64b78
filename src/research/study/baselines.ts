import { z } from 'zod';
import type { BarContext } from '../../engine/index.ts';

/** What every strategy of a study is held beside, in the order of its tables. */
export const BASELINES = ['buy-and-hold', 'equal-weight', 'sma', 'momentum'] as const;
export type Baseline = (typeof BASELINES)[number];

/** What the baselines are made of. */
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

/** What a baseline remembers: its first bar, and what it holds. */
export interface BaselineState {
  first: number;
  held: string;
}

/** A bar of a baseline, at the costs and by the fills of every run. */
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
      // Orders only where what is held changes: between crosses weights drift as they like.
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

/** Parameters of one of them. */
export function baselineParameters(
  kind: Baseline,
  { sma, momentum, top, rebalance }: BaselineTerms,
): Readonly<Record<string, string | number>> {
  return { kind, sma, momentum, ...(top === undefined ? {} : { top }), rebalance };
}

/** What each of them does, in words. */
export function baselineText(kind: Baseline, { sma, momentum, top, rebalance }: BaselineTerms): string {
  const often = `every ${rebalance} bars`;
  return {
    'buy-and-hold': 'all symbols in equal parts, bought once and held',
    'equal-weight': `all symbols in equal parts, brought back to them ${often}`,
    sma: `each symbol in its equal part while its close is above the mean of its last ${sma}`,
    momentum: `the ${top ?? 'quarter of symbols'} with the highest return over ${momentum} bars, in equal parts, chosen anew ${often}`,
  }[kind];
}

/** Each of some symbols in the part that each of so many has; whatever else is held is sold. */
function hold({ orders }: BarContext, symbols: readonly string[], parts: number): void {
  // Cut, not rounded: weights of more than one in all are refused.
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
