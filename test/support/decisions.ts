import { barLine, type Line, textOfLines } from './journal.ts';

/**
 * Returns a journal with `count` decisions of a model, one per bar. Of every four decisions, one buys, one
 * sells, one has a rejected order and one does nothing.
 */
export function decisionLines(count: number, words = 'the mean is below'): string {
  const lines: Line[] = [
    {
      type: 'run_started',
      schema: 1,
      strategy: { name: words, kind: 'llm', parameters: {} },
      settings: { cash: '1000', seed: 0 },
      symbols: ['AAA', words],
      bars: count,
      data: null,
      sealed: true,
    },
  ];
  for (let bar = 0; bar < count; bar++) {
    const text = JSON.stringify({ bar, account: { cash: 1000 + bar }, close: 10 });
    const order = {
      type: 'order_accepted',
      bar,
      symbol: 'AAA',
      orderType: 'market',
      quantity: '2',
      reason: words,
    };
    if (bar > 0 && bar % 4 <= 2 && bar % 4 > 0) {
      const side = bar % 4 === 1 ? 'buy' : 'sell';
      lines.push({
        type: 'order_filled',
        bar,
        orderId: bar - Math.floor(bar / 4) * 2 - 1,
        symbol: 'AAA',
        side,
        quantity: '2',
        price: '10',
        priceBeforeSlippage: '10',
        commission: '0',
        cash: '1000',
      });
    }
    lines.push({
      type: 'model_called',
      bar,
      sample: 1,
      round: 1,
      attempt: 1,
      added: [
        { role: 'system', text: 'Trade well.\nBe brief.' },
        { role: 'user', text },
      ],
      request: 'h',
      reply: { text: words, toolCalls: [], end: 'stop' },
      usage: null,
      cost: null,
    });
    const number = Math.floor(bar / 4) * 2;
    if (bar % 4 === 0) lines.push({ ...order, orderId: number, action: 'buy' });
    if (bar % 4 === 1) lines.push({ ...order, orderId: number + 1, action: 'sell' });
    if (bar % 4 === 2)
      lines.push({
        type: 'order_rejected',
        bar,
        orderId: null,
        symbol: 'AAA',
        action: 'buy',
        code: 'not_enough_cash',
        message: words,
        remedy: 'less',
      });
    lines.push({
      type: 'decision_made',
      bar,
      sample: 1,
      outcome: 'answered',
      rounds: 1,
      toolCalls: 0,
      text: words,
      usage: { input: 100 + bar, cached: 0, output: 5, reasoning: 0 },
      cost: '0.001',
    });
    lines.push({ ...barLine(bar), prices: [[10, 11, 9, 10, 5], null] });
  }
  lines.push({
    type: 'run_finished',
    outcome: 'completed',
    bars: count,
    openTrades: [],
    commissionPaid: '0',
  });
  return textOfLines(lines);
}
