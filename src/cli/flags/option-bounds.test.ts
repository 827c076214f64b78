import { describe, expect, it } from 'vitest';
import { runOptionsSchema } from '../../runner/index.ts';
import { runFlagsSchema } from './flags.ts';

/** Options with values inside and outside their bounds. */
const VALUES: Readonly<Record<string, readonly (number | string)[]>> = {
  periodsPerYear: [-1, 0, 1e-9, 252, 1_000_000, 1_000_001],
  riskFree: [-1.01, -1, 0, 0.03, 10, 10.01],
  minimumReturn: [-1.01, -1, 0, 0.03, 10, 10.01],
  scriptTimeout: [-1, 0, 0.5, 3_600, 3_601],
  maxUnpacked: [0, 0.5, 1, 256, 2 ** 53],
  interval: ['1h', '5min', 'soon', '0d'],
  timezone: ['America/New_York', 'UTC', 'Mars/Olympus', ''],
  columns: ['preset=dukascopy', 'date="Gmt time",close=Close', 'preset=nobody', 'date'],
  dateOrder: ['mdy', 'dmy', 'ymd'],
  modelCutoff: ['2024-06-01', '2024-06-31', '2024-06-01T10:00', 'June'],
  repl: ['decision', 'run', 'ever'],
};

describe('options of a run in code', () => {
  it.each(Object.entries(VALUES))('%s has the bounds of its flag', (name, values) => {
    for (const value of values) {
      const flag = runFlagsSchema.safeParse({ [name]: String(value) }).success;
      expect(runOptionsSchema.safeParse({ [name]: value }).success, `${value}`).toBe(flag);
    }
  });
});
