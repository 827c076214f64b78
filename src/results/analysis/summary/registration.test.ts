import { describe, expect, it } from 'vitest';
import {
  primaryResultText,
  reachesThreshold,
  registeredSchema,
  registrationText,
  thresholdOf,
} from './registration.ts';

const of = (primaryFigure: string, threshold: string) => ({ hypothesis: { primaryFigure, threshold } });

describe('a registered threshold', () => {
  it('is a number or a percentage', () => {
    expect(['0.5', ' 5% ', '-12.5%', '+3', '0', '100%'].map(thresholdOf)).toEqual([
      0.5, 0.05, -0.125, 3, 0, 1,
    ]);
    expect(['', 'much', '1.', '.5', '5 %', '1e3', '5%%'].map(thresholdOf)).toEqual(Array(7).fill(undefined));
  });

  it('is reached at or above the threshold if a higher value is better', () => {
    const reached = [0.49, 0.5, 0.51].map((value) => reachesThreshold(of('sharpe', '0.5'), value));
    expect(reached).toEqual([false, true, true]);
  });

  it('is reached at or below the threshold if a lower value is better', () => {
    const reached = [9, 10, 11].map((value) => reachesThreshold(of('drawdownDays', '10'), value));
    expect(reached).toEqual([true, true, false]);
  });

  it('is not compared if the value is unknown or the figure has no better direction', () => {
    for (const value of [null, undefined])
      expect(reachesThreshold(of('sharpe', '0.5'), value)).toBeUndefined();
    expect(reachesThreshold(of('sharpe', 'high'), 1)).toBeUndefined();
    expect(reachesThreshold(of('volatility', '0.1'), 0.1)).toBeUndefined();
    expect(reachesThreshold(of('luck', '0.1'), 0.1)).toBeUndefined();
    expect(reachesThreshold({ hypothesis: {} }, 0.1)).toBeUndefined();
  });
});

describe('the text of a registration', () => {
  const registered = registeredSchema.parse({
    sha256: 'abc',
    registeredAt: '2024-01-01T00:00:00',
    hypothesis: { text: 'Trends persist', primaryFigure: 'sharpe', threshold: '0.5', test: 'paired' },
  });
  const facts =
    'The run was registered at 2024-01-01T00:00:00 (SHA-256 abc): Trends persist. Primary figure: sharpe, threshold 0.5, test: paired.';

  it('states the hypothesis and the changes since', () => {
    expect(registrationText(registered, 'run')).toBe(`${facts} The run agrees with it.`);
    const changed = { ...registered, changes: ['data', 'seed'], reason: 'typo' };
    expect(registrationText(changed, 'run')).toBe(
      `${facts} The run was changed since, because: typo. Changes: data; seed.`,
    );
  });

  it('compares the primary figure with its threshold', () => {
    const text = (value: number | string | null | undefined, threshold = '0.5', name = 'sharpe') =>
      primaryResultText(of(name, threshold), () => value);
    expect(text(0.123_456_78)).toBe('Sharpe ratio is 0.123457: the threshold of 0.5 is not reached.');
    expect(text('0.5')).toBe('Sharpe ratio is 0.5: the threshold of 0.5 is reached.');
    expect(text(0)).toBe('Sharpe ratio is 0: the threshold of 0.5 is not reached.');
    expect(text(1, 'high')).toBe('Sharpe ratio is 1; the threshold is high.');
    for (const value of [null, undefined, 'a text']) expect(text(value)).toBe('Sharpe ratio has no value.');
    expect(text(1, '0.5', 'luck')).toBe('luck is not a figure of this version.');
    expect(primaryResultText({ hypothesis: {} }, () => 1)).toBe(' is not a figure of this version.');
    expect(primaryResultText(of('beta', '1'), (name) => (name === 'beta' ? 2 : 3))).toBe(
      'Beta is 2; the threshold is 1.',
    );
  });
});
