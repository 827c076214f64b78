import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Line = Readonly<Record<string, unknown>>;

/**
 * Returns the lines of a hand-written journal with tool calls, a rejected order, a trade and model calls.
 * Used by tests of traces and of the server.
 */
export function journalLines(bars: number, name = 'by-hand', symbol = 'AAA'): Line[] {
  return [
    {
      type: 'run_started',
      schema: 1,
      strategy: { name, kind: 'llm', parameters: {} },
      settings: { cash: '1000', seed: 0 },
      symbols: [symbol],
      bars,
      data: null,
      sealed: true,
    },
    ...Array.from({ length: bars }, (_, bar) => linesOf(bar, symbol)).flat(),
    {
      type: 'run_finished',
      outcome: 'completed',
      bars,
      openTrades: [],
      commissionPaid: '0',
    },
  ];
}

/**
 * Returns the journal lines of one bar. Of every ten bars: 2 decides and buys, 3 fills the order, 5 fails, 6
 * has a rejected order, 7 sells, and 8 fills and closes the trade.
 */
export function linesOf(bar: number, symbol = 'AAA'): Line[] {
  return [...happenings(bar, symbol), barLine(bar)];
}

export function barLine(bar: number): Line {
  const date = new Date(Date.UTC(2024, 0, 1 + bar)).toISOString().slice(0, 10);
  const close = 10 + (bar % 7);
  return {
    type: 'bar',
    bar,
    date,
    cash: '1000',
    equity: String(1000 + bar),
    exposure: 0,
    prices: [[close, close + 1, close - 1, close, 100]],
  };
}

function happenings(bar: number, symbol: string): Line[] {
  const fill = (orderId: number, side: string, price: string): Line => ({
    type: 'order_filled',
    bar,
    orderId,
    symbol,
    side,
    quantity: '2',
    price,
    priceBeforeSlippage: price,
    commission: '0',
    cash: '980',
  });
  switch (bar) {
    case 2:
      return [
        exchange(bar, 1, [{ role: 'user', text: 'the observation of bar 2' }], 'Let me look.'),
        tool(bar, 1, 'latest(ta.rsi(df.close, 14))', { result: 55.5 }),
        {
          type: 'order_accepted',
          bar,
          orderId: 1,
          symbol,
          action: 'buy',
          orderType: 'market',
          quantity: '2',
        },
        exchange(bar, 2, [{ role: 'tool', callId: '1', name: 'compute', text: '55.5' }], 'I buy.'),
        {
          type: 'decision_made',
          bar,
          sample: 0,
          outcome: 'answered',
          rounds: 2,
          toolCalls: 1,
          text: 'I buy.',
          usage: { input: 20, cached: 0, output: 4, reasoning: 0 },
          cost: '0.0002',
        },
      ];
    case 3:
      return [fill(1, 'buy', '13')];
    case 5:
      return [
        tool(bar, 2, 'dff.close', { error: "NameError: name 'dff' is not defined", remediation: 'Use df.' }),
      ];
    case 6:
      return [
        {
          type: 'order_rejected',
          bar,
          orderId: null,
          symbol,
          action: 'buy',
          code: 'not_enough_cash',
          message: 'Too much.',
          remedy: 'Buy less.',
        },
      ];
    case 7:
      return [{ type: 'order_accepted', bar, orderId: 2, symbol, action: 'close', orderType: 'market' }];
    case 8:
      return [
        fill(2, 'sell', '11'),
        {
          type: 'trade_closed',
          bar,
          id: 1,
          symbol,
          side: 'long',
          quantity: '2',
          entryBar: 3,
          entryTime: '2024-01-04',
          entryPrice: '13',
          exitTime: '2024-01-09',
          exitPrice: '11',
          grossPnl: '-4',
          commission: '0',
          netPnl: '-4',
          exitReason: 'enough',
        },
      ];
    default:
      return [];
  }
}

function exchange(bar: number, round: number, added: Line[], text: string): Line {
  return {
    type: 'model_called',
    bar,
    sample: 0,
    round,
    attempt: 1,
    added,
    request: 'hash',
    reply: { text, toolCalls: [], end: 'stop' },
    usage: { input: 10, cached: 0, output: 2, reasoning: 0 },
    cost: '0.0001',
  };
}

function tool(bar: number, sequence: number, code: string, result: Line): Line {
  return { type: 'tool_called', bar, sequence, name: 'compute', arguments: { code }, result };
}

export function textOfLines(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Writes lines as the journal of a run into an existing folder. Returns the path of the file. */
export function writeJournal(folder: string, lines: readonly Line[]): string {
  const file = join(folder, 'journal.jsonl');
  writeFileSync(file, textOfLines(lines));
  return file;
}
