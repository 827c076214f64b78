import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../kernel/index.ts';
import { checkOptions, collectErrors } from './option-faults.ts';

const series = { symbol: 'A' };
const VALID = { strategy: 'a.ts', data: 'a.csv' };

/** Returns the message of the error for options, without its first line. */
function faultsOf(options: unknown, call?: Parameters<typeof checkOptions>[1]): string {
  try {
    checkOptions(options, call);
    return '';
  } catch (error) {
    return (error as AppError).message.split('\n').slice(1).join('\n');
  }
}

describe('the options of a run', () => {
  it.each([
    {},
    { data: ['a.csv', 'b.csv'] },
    { data: series },
    { data: [series, series] },
    { strategy: { name: 's' } },
    { strategy: undefined, agent: 'python3 a.py', agentEvery: 2 },
    { seal: true },
    { feed: 'simulate', clock: 'bars', bars: 3 },
    { recorded: 'r', registration: 'r.json', amend: 'x' },
    { allowScripts: true, skills: 's', scriptTimeout: 3 },
    { symbol: ['A'], from: '2020-01-01', timezone: 'Europe/Berlin', allowGaps: true },
    {
      data: series,
      detail: ['a.csv'],
      allowGaps: true,
      timezone: 'Europe/Berlin',
      maxUnpacked: 5_000_000_000,
    },
    { data: series, session: '09:30-16:00', timezone: 'America/New_York' },
    { data: series, fx: ['a.csv'], maxUnpacked: 5_000_000_000 },
    {
      features: 'f.csv',
      documents: ['d.csv'],
      universe: [{ symbol: 'A' }],
      context: [series],
      fundamentals: [{}],
    },
    { settings: { cash: 1 }, parameters: {}, environment: {}, signal: new AbortController().signal },
    { onProgress: () => undefined, onNote: () => undefined },
  ])('may be %j', (options) => {
    expect(faultsOf({ ...VALID, ...options })).toBe('');
  });

  it.each([
    [{ strategy: undefined }, 'strategy: expected a strategy file'],
    [{ strategy: '' }, 'strategy: expected a strategy file'],
    [{ strategy: 5 }, 'strategy: expected a strategy file'],
    [{ agent: 'x' }, 'strategy: cannot be combined with --agent'],
    [{ strategy: undefined, agent: 'x', seal: true }, 'seal: is for strategies'],
    [{ strategy: undefined, agent: 'x', parameters: {} }, 'parameters: is for strategies'],
    [{ agentEvery: 2 }, 'agentEvery: requires --agent'],
    [{ strategy: { name: 's' }, seal: true }, 'seal: requires a strategy file'],
    [{ skills: 's' }, 'skills: requires allowScripts'],
    [{ bars: 5 }, 'bars: is for forward runs and requires feed'],
    [{ clock: 'bars' }, 'clock: is for forward runs and requires feed'],
    [{ amend: 'x' }, 'amend: requires registration'],
    [{ scriptTimeout: 3, allowScripts: false }, 'scriptTimeout: requires allowScripts'],
    [{ data: undefined }, 'data: is missing'],
    [{ data: '' }, 'data: is missing. Pass at least one data file, folder or glob'],
    [{ data: [] }, 'or pass a market or series'],
    [{ data: 5 }, 'or pass a market or series'],
    [{ data: ['a.csv', 5] }, 'data: contains a value that is neither'],
    [{ data: ['a.csv', ''] }, 'data: contains a value that is neither'],
    [{ data: ['a.csv', series] }, 'data: contains both paths and series'],
    [{ data: series, symbol: ['A'] }, 'symbol: applies to data files only. Select'],
    [{ data: [series], interval: '1d' }, 'interval: applies to data files only. Select'],
    [{ data: series, allowGaps: true }, 'allowGaps: applies to data files only, and'],
    [{ data: series, timezone: 'Europe/Berlin' }, 'timezone: applies to data files only, and'],
    [{ data: series, session: '09:30-16:00', sort: true }, 'sort: applies to data files only, and'],
    [{ data: series, maxUnpacked: 5_000_000_000 }, 'maxUnpacked: applies to data files only, and'],
    [{ features: '' }, 'features: name files of features'],
    [{ documents: [] }, 'documents: name files of documents'],
    [{ fundamentals: ['f.csv', {}] }, 'fundamentals: name files of fundamentals'],
    [{ universe: 5 }, 'universe: name a file'],
    [{ context: '' }, 'context: expected files of bars'],
    [{ context: [] }, 'context: expected files of bars'],
    [{ context: ['a.csv', series] }, 'context: expected files of bars'],
    [{ context: ['a.csv', ''] }, 'context: expected files of bars'],
    [{ settings: 5 }, 'settings: is not an object such as { cash'],
    [{ parameters: 5 }, 'parameters: is not an object such as { fast'],
    [{ environment: 5 }, 'environment: is not an object such as process.env'],
    [{ signal: {} }, 'signal: is not an AbortSignal'],
    [{ onProgress: 5 }, 'onProgress: is not a function'],
    [{ cash: 5 }, 'cash: it is a setting (pass it as settings: { cash: … })'],
    [{ csh: 5 }, 'csh: unknown option (did you mean settings.cash?)'],
    [{ symbl: 5 }, 'symbl: unknown option (did you mean symbol?)'],
    [{ qqqqqqqq: 5 }, 'qqqqqqqq: unknown option (available: '],
  ])('are refused: %j', (options, fault) => {
    const faults = faultsOf({ ...VALID, ...options });
    expect(faults).toContain(fault);
    expect(faults.trim().split('\n')).toHaveLength(1);
  });

  it('may differ between functions', () => {
    expect(faultsOf({ ...VALID, out: 'x' }, { name: 'f', without: ['out'] })).toContain(
      'out: unknown option',
    );
    expect(faultsOf(undefined)).toContain('options: ');
    const own = { out: z.literal(false) };
    for (const [name, value] of Object.entries({ feed: 'simulate', registration: 'r.json' }))
      expect(faultsOf({ ...VALID, out: false, [name]: value }, { name: 'f', own })).toContain(
        `${name}: requires a run folder, which out: false does not write`,
      );
  });
});

describe('errors of several readings', () => {
  const [first, second] = ['one', 'two'].map(
    (code) => new AppError({ code, message: `${code}.`, hint: 'h', kind: 'run' }),
  );

  it('are reported together, and an unexpected error alone', async () => {
    expect(await collectErrors(Promise.resolve(1), Promise.resolve('a'))).toEqual([1, 'a']);
    await expect(collectErrors(Promise.resolve(1), Promise.reject(first!))).rejects.toBe(first);
    await expect(collectErrors(Promise.reject(first!), Promise.reject(second!))).rejects.toThrow(
      /one\.[\s\S]*two\./,
    );
    const bug = new TypeError('bug');
    await expect(collectErrors(Promise.reject(first!), Promise.reject(bug))).rejects.toBe(bug);
  });
});
