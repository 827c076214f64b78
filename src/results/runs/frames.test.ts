import { describe, expect, it } from 'vitest';
import { runRecord } from '../../../test/support/records.ts';
import { barSeries, createMarket, SeriesCursor } from '../../market/index.ts';
import { FRAMES, runFrame } from './read-run.ts';

const record = runRecord({
  cash: '100',
  equity: [100, 110],
  trades: [{ netPnl: '10', grossPnl: '11', commission: '1', exitReason: 'target' }],
  fills: [{ quantity: '1', price: '10' }],
});

describe('a run as frames', () => {
  it('has one row per trade, with amounts as numbers', async () => {
    const trades = await runFrame(record, 'trades');
    expect(trades.shape).toEqual([1, 15]);
    expect(trades.column('netPnl').values).toEqual([10]);
    expect(trades.column('exitReason').values).toEqual(['target']);
  });

  it('has one row per bar', async () => {
    const equity = await runFrame(record, 'equity');
    expect(equity.columns).toEqual(['bar', 'date', 'cash', 'equity', 'drawdown', 'exposure']);
    expect(equity.column('equity').mean()).toBe(105);
    const decisions = await runFrame(record, 'decisions');
    expect(decisions.column('fills').sum()).toBe(1);
  });

  it('has one row per metric, with NaN and a reason if undefined', async () => {
    const metrics = await runFrame(record, 'metrics');
    const names = metrics.column('figure').values as string[];
    const row = names.indexOf('profitFactor');
    expect(metrics.column('value').values[row]).toBeNaN();
    expect(metrics.column('reason').values[row]).toBe('no trade lost money');
    const total = names.indexOf('totalReturn');
    expect(metrics.column('value').values[total]).toBeCloseTo(0.1, 12);
  });

  it('is available for a run without bars too', async () => {
    const empty = runRecord({ cash: '5', equity: [] });
    for (const name of FRAMES) expect((await runFrame(empty, name)).columns.length).toBeGreaterThan(3);
  });
});

describe('a window as a frame', () => {
  it('contains the bars up to now and no later one', async () => {
    const bar = (time: number, close: number) => ({ time, open: 1, high: 9, low: 1, close, volume: 5 });
    const market = createMarket([barSeries('A', [bar(0, 2), bar(86_400_000, 3), bar(172_800_000, 4)])]);
    const cursor = new SeriesCursor(market.series[0]!);
    cursor.advanceTo(0);
    cursor.advanceTo(86_400_000);
    const frame = await cursor.window.toFrame();
    expect(frame.columns).toEqual(['date', 'open', 'high', 'low', 'close', 'volume']);
    expect(frame.column('close').values).toEqual([2, 3]);
    expect(frame.column('date').values).toEqual(['1970-01-01', '1970-01-02']);
  });
});
