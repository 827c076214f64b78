import { describe, expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import { REGIMES, type RegimeName, type Weather } from './simulate.ts';

function weathersOf(regime: RegimeName, bars: number): Weather[] {
  const next = REGIMES[regime](createRandom(7, 'weather'));
  return Array.from({ length: bars }, () => {
    const weather: Weather = { drift: 9, volatility: 9, pull: 9 };
    next(weather);
    return weather;
  });
}

interface Leg extends Weather {
  readonly bars: number;
}

/**
 * Groups consecutive bars with equal conditions into periods. Omits the last period, which may be incomplete.
 */
function legsOf(weathers: readonly Weather[]): Leg[] {
  const legs: Leg[] = [];
  for (const weather of weathers) {
    const last = legs.at(-1);
    if (last?.drift === weather.drift && last.volatility === weather.volatility && last.pull === weather.pull)
      legs[legs.length - 1] = { ...last, bars: last.bars + 1 };
    else legs.push({ ...weather, bars: 1 });
  }
  return legs.slice(0, -1);
}

/**
 * Lengths of the first `legs` periods in bars, if every random length is the smallest or the largest
 * possible.
 */
function lengths(regime: RegimeName, pick: 'least' | 'most', legs: number): number[] {
  const integer = (least: number, most: number): number => (pick === 'least' ? least : most);
  const next = REGIMES[regime]({ ...createRandom(7, 'weather'), integer });
  const weathers = Array.from({ length: 2000 }, () => {
    const weather: Weather = { drift: 9, volatility: 9, pull: 9 };
    next(weather);
    return weather;
  });
  return legsOf(weathers)
    .slice(0, legs)
    .map(({ bars }) => bars);
}

describe('the regime of a simulated market', () => {
  it('is constant in a random walk and with mean reversion', () => {
    expect(legsOf([...weathersOf('random-walk', 500), { drift: 9, volatility: 9, pull: 9 }])).toEqual([
      { drift: 0, volatility: 1, pull: 0, bars: 500 },
    ]);
    expect(legsOf([...weathersOf('mean-reverting', 500), { drift: 9, volatility: 9, pull: 9 }])).toEqual([
      { drift: 0, volatility: 1, pull: 0.05, bars: 500 },
    ]);
  });

  it('of a trend is a long rise, then a shorter fall at the same slope', () => {
    const legs = legsOf(weathersOf('trend', 60_000));
    const [rises, falls] = [legs.filter((_, at) => at % 2 === 0), legs.filter((_, at) => at % 2 === 1)];
    expect(new Set(rises.map(({ drift, volatility, pull }) => `${drift} ${volatility} ${pull}`))).toEqual(
      new Set(['0.15 1 0']),
    );
    expect(new Set(falls.map(({ drift, volatility, pull }) => `${drift} ${volatility} ${pull}`))).toEqual(
      new Set(['-0.15 1 0']),
    );
    expect([lengths('trend', 'least', 4), lengths('trend', 'most', 4)]).toEqual([
      [80, 30, 80, 30],
      [300, 90, 300, 90],
    ]);
  });

  it('of a volatile market varies around three times the ordinary volatility, without drift or mean reversion', () => {
    const weathers = weathersOf('volatile', 50_000);
    expect(weathers.every(({ drift, pull }) => drift === 0 && pull === 0)).toBe(true);
    // Volatility starts at three times the ordinary level. The first draw, 1, increases its logarithm by
    // 0.12.
    const weather: Weather = { drift: 9, volatility: 9, pull: 9 };
    const next = REGIMES.volatile({ ...createRandom(7, 'weather'), normal: () => 1 });
    next(weather);
    expect(weather.volatility).toBeCloseTo(3 * Math.exp(0.12), 12);
    next(weather);
    expect(weather.volatility).toBeCloseTo(3 * Math.exp(0.95 * 0.12 + 0.12), 12);
    const logs = weathers.map(({ volatility }) => Math.log(volatility / 3));
    const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
    const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length;
    expect(Math.abs(mean)).toBeLessThan(0.05);
    // Autoregressive process with the coefficient 0.95 and steps of 0.12. Its standard deviation is 0.12 /
    // √(1 − 0.95²).
    expect(Math.sqrt(variance)).toBeCloseTo(0.12 / Math.sqrt(1 - 0.95 ** 2), 1);
    const together = logs.slice(1).reduce((sum, value, at) => sum + (value - mean) * (logs[at]! - mean), 0);
    expect(together / (variance * logs.length)).toBeCloseTo(0.95, 2);
  });

  it('of a crash is a calm rise, a fall of at most four weeks, a recovery, and calm again', () => {
    const legs = legsOf(weathersOf('crash', 5000));
    expect(legs.length).toBeGreaterThan(9);
    const [calm, fall, recovery] = [
      { drift: 0.08, volatility: 1, pull: 0 },
      { drift: -1.8, volatility: 2.5, pull: 0 },
      { drift: 0.12, volatility: 1.6, pull: 0 },
    ];
    legs.forEach((leg, at) => {
      expect(leg).toMatchObject([calm, fall, recovery][at % 3]!);
    });
    expect([lengths('crash', 'least', 7), lengths('crash', 'most', 7)]).toEqual([
      [20, 8, 40, 150, 8, 40, 150],
      [60, 20, 120, 400, 20, 120, 400],
    ]);
  });

  it('that switches is a rise, a quiet range or a volatile fall; prices revert to the mean only in the range', () => {
    const legs = legsOf(weathersOf('regime-switching', 60_000));
    const kinds = new Set(legs.map(({ drift, volatility, pull }) => `${drift} ${volatility} ${pull}`));
    expect([...kinds].sort()).toEqual(['-0.12 2 0', '0 0.6 0.03', '0.12 0.8 0']);
    // Records the range of every random integer and returns the minimum. The ranges show that each period
    // draws a length of 30 to 150 bars and one of three kinds.
    const random = {
      ...createRandom(7, 'weather'),
      integer: (least: number, most: number) => asked(least, most),
    };
    const draws: [number, number][] = [];
    const asked = (least: number, most: number): number => {
      draws.push([least, most]);
      return least;
    };
    const next = REGIMES['regime-switching'](random);
    for (let bar = 0; bar < 31; bar++) next({ drift: 9, volatility: 9, pull: 9 });
    expect(draws).toEqual([
      [30, 150],
      [0, 2],
      [30, 150],
      [0, 2],
    ]);
  });
});
