import type { BarContext, Json } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import { defaultColumns, type SinceDecision, symbolTable } from '../../toolkit/index.ts';

/** Maximum number of symbols whose bars are in one answer. */
const MOST = 50;

/** Answer to a client after the market has advanced: the events in between, and the new bars. */
export function movedAnswer(turn: BarContext, moved: number, since: SinceDecision): Record<string, Json> {
  return {
    moved,
    ...(moved === 0 ? {} : { since_last_decision: since.view(turn) }),
    ...barOf(turn, since),
    cash: turn.account.cash.toNumber(),
    equity: turn.account.equity.toNumber(),
  };
}

/** Current bar of every symbol. A table if there are many symbols. */
function barOf(turn: BarContext, { trades }: SinceDecision): Record<string, Json> {
  const columns = defaultColumns(turn);
  const bars = (columns === undefined ? turn.symbols : []).flatMap((symbol): [string, Json][] => {
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
    ...(columns === undefined
      ? { bars: Object.fromEntries(bars) }
      : { table: symbolTable(turn, columns, trades) }),
    ...(context.length === 0 ? {} : { context: Object.fromEntries(context) }),
  };
}
