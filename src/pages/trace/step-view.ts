import type { JournalEvent } from '../../journal/index.ts';
import { numberOf, textOf } from '../../kernel/index.ts';
import { type BlockContext, blockOf, type ToolTimes } from './blocks.ts';
import { maskOf, seenDate } from './masked.ts';
import type { Block, StepView } from './step.ts';
import type { TraceIndex } from './trace-index.ts';

export type { ToolTimes };

/** Events with which the market answers orders of before. */
const MARKET = new Set(['order_filled', 'trade_closed', 'order_cancelled', 'order_rejected']);

/** Everything about one bar, of its events in real terms. */
export function viewOf(
  index: TraceIndex,
  bar: number,
  happened: readonly JournalEvent[],
  times: ToolTimes,
): StepView {
  const context: BlockContext = { lifecycles: index.lifecycles, times };
  // The ending comes after the last bar, and is recorded there.
  const isLast = index.finished !== undefined && bar === index.bars - 1;
  const events = isLast ? [...happened, index.finished!] : happened;
  const end = events.find((event) => event.type === 'bar');
  const rest = events.filter((event) => event.type !== 'bar');
  const decided = rest.findIndex((event) => !isMarkets(event));
  const blocks = (part: readonly JournalEvent[]): Block[] =>
    part.map((event) => blockOf(event, context)).filter((block) => block !== undefined);
  const cut = decided < 0 ? rest.length : decided;
  const seen = seenDate(textOf(end?.date), maskOf(index.started));
  return {
    bar,
    date: textOf(end?.date),
    unfinished: end === undefined,
    account:
      end === undefined
        ? []
        : [
            ['Cash', textOf(end.cash)],
            ['Equity', textOf(end.equity)],
            ...(seen === undefined ? [] : [['Date as it was seen', seen] as const]),
            ['Exposure', typeof end.exposure === 'number' ? `${(end.exposure * 100).toFixed(1)}%` : '–'],
          ],
    prices: pricesOf(index, end),
    market: blocks(rest.slice(0, cut)),
    decision: blocks(rest.slice(cut)),
  };
}

function isMarkets(event: JournalEvent): boolean {
  return MARKET.has(event.type) || (event.type === 'order_accepted' && event.role !== undefined);
}

function pricesOf(index: TraceIndex, end: JournalEvent | undefined): StepView['prices'] {
  const symbols = index.started?.symbols;
  if (!Array.isArray(end?.prices) || !Array.isArray(symbols)) return [];
  const prices: readonly unknown[] = end.prices;
  return symbols.map((symbol, number) => {
    const values = prices[number];
    return {
      symbol: textOf(symbol),
      values: Array.isArray(values) ? values.map((value) => numberOf(value) ?? null) : null,
    };
  });
}
