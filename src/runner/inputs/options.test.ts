import { describe, expect, it } from 'vitest';
import { availableData, runOptionsSchema, withPointInTime } from './options.ts';

const isValid = (options: object): boolean => runOptionsSchema.safeParse(options).success;
const fault = (options: object): string | undefined =>
  runOptionsSchema
    .safeParse(options)
    .error?.issues.map(({ message }) => message)
    .join('; ');

describe('the options of a run', () => {
  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['from', ['2020-01-15', '2020-01-15T09:30'], ['soon', '2020-13-01']],
    ['modelCutoff', ['2024-06-01'], ['2024-06-01T00:00', '2024-06-31', 'x']],
    ['interval', ['1h', ' 1D '], ['1x', '0h']],
    ['timezone', ['UTC', 'America/New_York'], ['Mars/Base']],
    ['columns', ['preset=dukascopy'], ['preset=none']],
    ['calendar', ['XNYS'], ['XXXX']],
    ['session', ['09:30-16:00', '18:00-17:00'], ['9-17', '25:00-26:00']],
    ['featuresLag', ['1d'], ['soon']],
    ['maxUnpacked', [1, 256], [0, 1.5]],
    ['scriptTimeout', [0.5, 3_600], [0, 3_601]],
    ['periodsPerYear', [0.5, 1_000_000], [0, 1_000_001]],
    ['riskFree', [-1, 10], [-1.1, 10.1]],
    ['minimumReturn', [-1, 10], [-1.1, 10.1]],
    ['agent', ['x'], ['']],
    ['agentEvery', [1, 10_000], [0, 10_001, 1.5]],
    ['agentWarmUp', [0, 5], [-1]],
    ['agentTimeout', [0.1, 86_400], [0, 86_401]],
    ['agentCalls', [1, 10_000], [0, 10_001]],
    ['agentFailures', [1, 10_000], [0, 10_001]],
    ['feed', ['stdin'], ['']],
    ['bars', [1, 9], [0, 1.5]],
    ['grace', [0, 86_400], [-1, 86_401]],
    ['poll', [0.1, 86_400], [0, 86_401]],
    ['feedBackfill', ['http://h/x', 'https://h/x'], ['ftp://h', 'h/http://x']],
    ['project', ['gap-fade', 'a', 'x'.repeat(80)], ['', '-a', 'x'.repeat(81), 'a/b']],
    ['amend', ['because'], ['']],
    ['mask', [['dates'], []], [['shoes']]],
  ])('%s accepts %j and refuses %j', (name, valid, invalid) => {
    for (const value of valid)
      expect({ value, isValid: isValid({ [name]: value }) }).toEqual({ value, isValid: true });
    for (const value of invalid)
      expect({ value, isValid: isValid({ [name]: value }) }).toEqual({ value, isValid: false });
  });

  it('state an invalid value and an example', () => {
    expect(fault({ from: 'soon' })).toBe(
      '"soon" is not a date. Expected for example 2020-01-15 or 2020-01-15T09:30',
    );
    expect(fault({ modelCutoff: 'x' })).toBe('"x" is not a date. Expected for example 2024-06-01');
    expect(fault({ timezone: 'Mars' })).toBe(
      'Unknown time zone "Mars". Expected a name such as America/New_York',
    );
    expect(fault({ session: '9' })).toContain('Invalid session "9". Expected hours such as 09:30-16:00');
    expect(fault({ project: '-' })).toContain('Invalid project name "-". Expected up to 80 letters');
    for (const name of ['interval', 'columns', 'calendar', 'featuresLag'])
      expect(fault({ [name]: '?' })).toMatch(/\w/);
    expect(fault({ unknown: 1 })).toContain('unknown');
  });

  it('are not changed when they are read, except for the interval', () => {
    expect(runOptionsSchema.parse({ interval: ' 1D ', riskFree: 0 })).toEqual({
      interval: '1d',
      riskFree: 0,
    });
  });
});

it('the kinds of published data of a run are those with rows', () => {
  expect(availableData({ documents: [], fundamentals: [], universe: undefined } as never)).toEqual({
    ...{ documents: false, fundamentals: false, universe: false },
  });
  expect(availableData({ documents: [1], fundamentals: [1], universe: [] } as never)).toEqual({
    ...{ documents: true, fundamentals: true, universe: true },
  });
});

describe('published data passed in code', () => {
  const given = { options: { from: '2020-01-01' }, other: 1 };

  it('becomes options if it is given as paths', () => {
    expect(withPointInTime({}, given)).toEqual(given);
    expect(withPointInTime({ documents: 'd', fundamentals: ['f', 'g'], universe: 'u' }, given)).toEqual({
      ...given,
      options: { from: '2020-01-01', documents: ['d'], fundamentals: ['f', 'g'], universe: 'u' },
    });
  });

  it('is used from memory if it is given as rows', () => {
    const rows = [{ symbol: 'A', from: '2020-01-01' }];
    const found = withPointInTime({ documents: 'd', universe: rows as never }, given);
    expect(found.options).toEqual({ from: '2020-01-01', documents: ['d'] });
    expect(found.pointInTime).toMatchObject({ documents: [], fundamentals: [], universe: [{ symbol: 'A' }] });
    const text = [{ id: 'n', available_at: '2024-01-31', text: 'x' }];
    expect(withPointInTime({ documents: text as never }, given).pointInTime?.documents).toHaveLength(1);
    const figure = {
      symbol: 'A',
      field: 'revenue',
      period_end: '2023-12-31',
      available_at: '2024-02-01',
      value: 7,
    };
    expect(
      withPointInTime({ fundamentals: [figure] as never }, given).pointInTime?.fundamentals,
    ).toHaveLength(1);
  });
});
