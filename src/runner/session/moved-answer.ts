import type { BarContext, Json } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import type { SinceDecision } from '../../toolkit/index.ts';

/** Most symbols whose bars are in one answer. */
const MOST = 50;

/** What whoever drives a run is answered once the market has moved: what happened on the way, and the new bars. */
export function movedAnswer(turn: BarContext, moved: number, since: SinceDecision): Record<string, Json> {
  return {
    moved,
    ...(moved === 0 ? {} : { since_last_decision: since.view(turn) }),
    ...barOf(turn),
    cash: turn.account.cash.toNumber(),
    equity: turn.account.equity.toNumber(),
  };
}

/** The current bar of every symbol. */
function barOf(turn: BarContext): Record<string, Json> {
  const bars = turn.symbols.slice(0, MOST).flatMap((symbol): [string, Json][] => {
    const { bar } = turn.windowOf(symbol);
    if (bar === undefined) return [];
    const { time, ...prices } = bar;
    return [[symbol, time === turn.time ? prices : { ...prices, stale: true }]];
  });
  const context = turn.contextSymbols.slice(0, MOST).flatMap((symbol): [string, Json][] => {
    const { bar } = turn.context(symbol);
    if (bar === undefined) return [];
    const { time, ...prices } = bar;
    return [[symbol, { date: formatInstant(time), ...prices }]];
  });
  return {
    bar: turn.bar,
    date: formatInstant(turn.time),
    bars: Object.fromEntries(bars),
    ...(context.length === 0 ? {} : { context: Object.fromEntries(context) }),
  };
}
