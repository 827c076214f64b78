import type { JournalEvent } from '../../journal/index.ts';
import { numberOf, textOf } from '../../kernel/index.ts';
import { type BlockContext, blockOf, type ToolTimes } from './blocks.ts';
import { partsOf } from './order-lifecycles.ts';
import { type Block, maskOf, type StepView, seenDate } from './step.ts';
import type { TraceIndex } from './trace-index.ts';

export type { ToolTimes };

/**
 * Returns the view of one bar. Masked events must have been converted to real terms.
 *
 * @param since block of events since the last decision, if the decider's events do not contain it
 */
export function viewOf(
  index: TraceIndex,
  bar: number,
  happened: readonly JournalEvent[],
  times: ToolTimes,
  since: Block | undefined,
): StepView {
  const context: BlockContext = { lifecycles: index.lifecycles, times };
  // The end of the run is shown on the last bar.
  const isLast = index.finished !== undefined && bar === index.bars - 1;
  const events = isLast ? [...happened, index.finished!] : happened;
  const end = events.find((event) => event.type === 'bar');
  const { before, decided } = partsOf(events.filter((event) => event.type !== 'bar'));
  const blocks = (part: readonly JournalEvent[]): Block[] =>
    part.map((event) => blockOf(event, context)).filter((block) => block !== undefined);
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
    market: blocks(before),
    decision: [...(since === undefined ? [] : [since]), ...blocks(decided)],
  };
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
