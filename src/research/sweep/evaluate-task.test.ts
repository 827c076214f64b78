import { describe, expect, it } from 'vitest';
import { barSeries, createMarket } from '../../market/index.ts';
import { cutMarket } from './evaluate-task.ts';
import { isDoubtful } from './executor.ts';

const bar = (time: number) => ({
  time,
  open: time + 1,
  high: time + 2,
  low: time + 0.5,
  close: time + 1.5,
  volume: 3,
});
const market = createMarket([barSeries('A', [10, 20, 30, 40].map(bar)), barSeries('B', [30, 40].map(bar))]);
const times = (from: number, to: number) =>
  Object.fromEntries(cutMarket(market, from, to).series.map(({ symbol, time }) => [symbol, [...time]]));

describe('a market between two instants', () => {
  it('is the same market if no bar is outside', () => {
    expect(cutMarket(market, 10, 40)).toBe(market);
    expect(cutMarket(market, 0, 99)).toBe(market);
  });

  it('has the bars of each symbol between both instants', () => {
    expect(times(10, 39)).toEqual({ A: [10, 20, 30], B: [30] });
    expect(times(11, 40)).toEqual({ A: [20, 30, 40], B: [30, 40] });
    expect(times(20, 30)).toEqual({ A: [20, 30], B: [30] });
    expect(times(30, 30)).toEqual({ A: [30], B: [30] });
  });

  it('retains the length of the bars, also for a symbol with one bar', () => {
    const { clock, interval, symbols } = cutMarket(market, 15, 30);
    expect([[...clock], symbols, interval]).toEqual([[20, 30], ['A', 'B'], market.interval]);
    expect(interval?.milliseconds).toBe(10);
  });

  it('omits symbols without a bar, and throws without any bar', () => {
    expect(times(10, 20)).toEqual({ A: [10, 20] });
    const cut = cutMarket(market, 20, 29);
    expect([...cut.clock]).toEqual([20]);
    expect(cut.series[0]).toMatchObject({ symbol: 'A' });
    expect([...cut.series[0]!.close]).toEqual([21.5]);
    expect(() => cutMarket(market, 41, 50)).toThrow(expect.objectContaining({ code: 'no_data' }));
    expect(() => cutMarket(market, 0, 9)).toThrow(expect.objectContaining({ code: 'no_data' }));
  });
});

it('a failure is doubtful if another machine may avoid it', () => {
  const of = (code: string) => isDoubtful({ error: { code, message: '' } });
  expect(['worker_lost', 'model_unavailable', 'not_built', 'python_source_failed'].map(of)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([of('decider_failed'), isDoubtful({})]).toEqual([false, false]);
});
