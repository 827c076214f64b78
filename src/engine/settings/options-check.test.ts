import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import { runBacktest } from '../run.ts';

const series = barSeries(
  'A',
  [1, 2, 3].map((day) => ({ time: day * 86_400_000, open: 10, high: 11, low: 9, close: 10, volume: 1 })),
);
const decider = { decide: () => undefined };
/** Passes a value of any type, as JavaScript code without type checks can. */
const untyped = (value: unknown): never => value as never;

async function refusal(making: () => unknown): Promise<AppError> {
  try {
    await making();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('untyped input from code', () => {
  it.each([
    ['null', null, /null was given where an array of series belongs/],
    ['nothing', undefined, /undefined was given/],
    ['one series', series, /an object was given/],
    ['a hole', [null], /series 0.*null, not a series/s],
    ['a number for an interval', [{ ...series, interval: 3_600_000 }], /interval is 3600000, not a text/],
    ['null for an interval', [{ ...series, interval: null }], /interval is null, not a text/],
  ])('is refused as a market: %s', async (_, given, message) => {
    const error = await refusal(() => createMarket(untyped(given)));
    expect(error.code).toBe('bad_data');
    expect(error.message).toMatch(message);
    expect(error.hint).not.toBe('');
  });

  it.each([
    ['null', null],
    ['its description', { symbols: ['A'], bars: 3 }],
    ['a series', series],
  ])('is refused as a market of a run: %s', async (_, market) => {
    const error = await refusal(() => runBacktest({ market: untyped(market), decider }));
    expect(error).toMatchObject({ code: 'bad_data', message: expect.stringMatching(/is not a market/) });
    expect(error.hint).toMatch(/createMarket/);
  });

  it('has every unknown option reported, with the closest name', async () => {
    const market = createMarket([series]);
    const wrong = { market, decider, setings: {}, evaluateFrom: '2024-01-01' };
    const error = await refusal(() => runBacktest(wrong));
    expect(error.code).toBe('bad_settings');
    expect(error.message).toMatch(/setings: unknown option \(did you mean settings\?\)/);
    expect(error.message).toMatch(/evaluateFrom: unknown option/);
    expect((await refusal(() => runBacktest(untyped(undefined)))).code).toBe('bad_settings');
  });
});
