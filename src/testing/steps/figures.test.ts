import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../engine/index.ts';
import { recordOf } from '../../journal/index.ts';
import { CheckedRun } from './checked-run.ts';
import { figureNames, figureOf } from './figures.ts';

/** Returns a run with one losing trade and the given equity at the end of each bar. */
function runOf(cash: string, equity: readonly number[]): CheckedRun {
  const events: RunEvent[] = [
    {
      type: 'run_started',
      schema: 1,
      strategy: { name: 'test', kind: 'rules', parameters: {} },
      settings: { cash, seed: 0 },
      symbols: ['AAA'],
      bars: equity.length,
      data: null,
      sealed: true,
    },
    ...equity.map((value, bar): RunEvent => {
      const date = `2024-01-0${bar + 1}`;
      return { type: 'bar', bar, date, cash: String(value), equity: String(value), exposure: 0 };
    }),
    {
      type: 'run_finished',
      outcome: 'completed',
      bars: equity.length,
      openTrades: [],
      commissionPaid: '0.5',
    },
  ];
  if (equity.length > 0) events.splice(2, 0, FILL, TRADE);
  return new CheckedRun({ runId: 'run-1', record: recordOf(events) });
}

const FILL: RunEvent = {
  type: 'order_filled',
  bar: 1,
  orderId: 1,
  symbol: 'AAA',
  side: 'buy',
  quantity: '1',
  price: '10',
  priceBeforeSlippage: '10',
  commission: '0.5',
  cash: '0',
};
const TRADE: RunEvent = {
  type: 'trade_closed',
  bar: 1,
  id: 1,
  symbol: 'AAA',
  side: 'long',
  quantity: '1',
  entryBar: 0,
  entryTime: '2024-01-01',
  entryPrice: '10',
  exitTime: '2024-01-02',
  exitPrice: '9.5',
  grossPnl: '-0.5',
  commission: '0.5',
  netPnl: '-1',
  exitReason: 'market',
};

const run = runOf('100', [100, 110, 99]);
const empty = runOf('5', []);

describe('a metric by its name', () => {
  it.each([
    ['total return', '-0.01'],
    ['Total Return', '-0.01'],
    ['final equity', '99'],
    ['max drawdown', '0.1'],
    ['maximum drawdown', '0.1'],
    ['number of trades', '1'],
    ['trades', '1'],
    ['win rate', '0'],
    ['costs', '0.5'],
    ['worst trade', '-1'],
    ['calendar days', '2'],
    ['number of model requests', '0'],
  ])('%s is %s', (words, expected) => {
    expect(figureOf(run, words).value?.toDecimalPlaces(12).toFixed()).toBe(expected);
  });

  it('is available for every listed name, with a reason if undefined', () => {
    for (const one of [run, empty]) {
      for (const name of figureNames(one)) {
        const figure = figureOf(one, name);
        expect(figure.value !== undefined || figure.reason !== 'the run does not give it', name).toBe(true);
      }
    }
    expect(figureOf(empty, 'Sharpe ratio')).toMatchObject({
      value: undefined,
      reason: 'fewer than two session returns',
    });
  });

  it('is listed once', () => {
    const names = figureNames(run).map((name) => name.toLowerCase());
    expect(new Set(names).size).toBe(names.length);
  });

  it('is suggested for a similar name', () => {
    expect(() => figureOf(run, 'sharp ratio')).toThrow('Did you mean "Sharpe ratio"?');
    expect(() => figureOf(run, 'banana')).toThrow(/^Unknown figure "banana"\.\n {2}Figures: total return, /);
  });

  it('is not a text of the summary', () => {
    for (const words of ['run id', 'strategy', 'outcome', 'stamps', 'reasons'])
      expect(() => figureOf(run, words)).toThrow('Unknown figure');
  });
});
