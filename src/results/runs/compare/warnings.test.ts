import { describe, expect, it } from 'vitest';
import { openTrade, type RecordSketch, runRecord } from '../../../../test/support/records.ts';
import type { StoredRun } from '../read-run.ts';
import { duplicatesOf, flatFactsOf, settingsThatDiffer, tradeOverlap } from './overlap.ts';
import { namesOf, sameBars, warningsOf } from './warnings.ts';

const run = (strategy: string, facts: object = {}, symbols = ['A'], period = '2024') => ({
  ...{ strategy, facts: new Map(Object.entries(facts)), symbols, period },
});

describe('names of runs', () => {
  it.each([
    [
      [run('x'), run('y')],
      ['x', 'y'],
    ],
    [
      [run('x', { fast: '5' }), run('x', { fast: '9' })],
      ['fast 5', 'fast 9'],
    ],
    [
      [run('x', { fast: '5' }), run('x')],
      ['fast 5', 'no fast'],
    ],
    [
      [run('x', { fast: '5', cash: '1' }), run('x', { fast: '9', cash: '2' })],
      ['fast 5', 'fast 9'],
    ],
    [
      [run('x', { cash: '1' }), run('x', {})],
      ['cash 1', 'cash unknown'],
    ],
    [
      [run('x', { n: '1' }), run('x', { n: '2' }), run('y', { n: '3' })],
      ['x, n 1', 'x, n 2', 'y'],
    ],
    [
      [run('x', {}, ['A']), run('x', {}, ['A', 'B']), run('x', {}, ['A', 'B', 'C'])],
      ['A', 'A and B', 'A and 2 more'],
    ],
    [
      [run('x', {}, ['A'], '2023'), run('x', {}, ['A'], '2024')],
      ['2023', '2024'],
    ],
    // The parameter `n` already distinguishes the runs, so their names contain no symbols.
    [
      [run('x', { n: '1' }, ['A']), run('x', { n: '2' }, ['B'])],
      ['n 1', 'n 2'],
    ],
    [
      [run('x', { n: '1' }, ['A']), run('x', { n: '1' }, ['B']), run('x', { n: '2' })],
      ['n 1, A', 'n 1, B', 'n 2, A'],
    ],
    // All five parameters differ. `c` has a different value for each run, so the names contain only `c`.
    [
      [1, 2, 3].map((at) =>
        run('x', { a: `${at % 2}`, b: `${at % 2}`, c: `${at}`, d: `${at % 2}`, e: `${at % 2}` }),
      ),
      ['c 1', 'c 2', 'c 3'],
    ],
    [
      [1, 2].map((at) => run('x', { a: `${at}`, b: `${at}`, c: `${at}`, d: `${at}` })),
      ['a 1, b 1, c 1, d 1', 'a 2, b 2, c 2, d 2'],
    ],
    [
      [run('x', { t: 'y'.repeat(24) }), run('x', { t: 'z'.repeat(25) })],
      [`t ${'y'.repeat(24)}`, `t ${'z'.repeat(23)}…`],
    ],
    [
      [run('x'), run('x'), run('x')],
      ['x', 'x (2)', 'x (3)'],
    ],
    [
      [run('x'), run('x (2)'), run('x'), run('x')],
      ['x', 'x (2)', 'x (3)', 'x (4)'],
    ],
  ])('state what differs (%#)', (runs, names) => {
    expect(namesOf(runs)).toEqual(names);
  });
});

const DATA = [{ symbols: ['A', 'B'], sha256: '0123456789abcdef' }];

function stored(changes: object = {}, sketch: Partial<RecordSketch> = {}, started: object = {}): StoredRun {
  const record = runRecord({ equity: [100, 101, 102], ...sketch });
  return {
    record: {
      ...record,
      started: { ...record.started, data: DATA, ...started },
      ...(sketch as { damage?: unknown }),
    },
    summary: {
      ...{
        strategy: 'x',
        symbols: ['A'],
        initialCash: '100',
        periodsPerYear: 252,
        sealed: true,
        openDoors: [],
      },
      ...{ evaluatedFrom: null, firstBar: '2024-01-01', lastBar: '2024-01-03' },
      ...changes,
    },
    manifest: undefined,
  } as unknown as StoredRun;
}

describe('warnings of a comparison', () => {
  const warnings = (...others: readonly StoredRun[]) =>
    warningsOf([stored(), ...others], ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, others.length + 1));

  it('are absent for runs that are comparable', () => {
    expect(warnings(stored({ initialCash: '100.0', periodsPerYear: 252 * 1.05 }))).toEqual([]);
    expect(
      warnings(
        stored({}, { settings: { seed: 9, cash: '100', currency: 'USD', mark: 'close', lookback: 3 } }),
      ),
    ).toEqual([]);
    expect(sameBars([stored(), stored()])).toBe(true);
  });

  it.each<[StoredRun, string]>([
    [
      stored({}, {}, { data: [{ sha256: 'f'.repeat(64) }, { symbols: ['C'] }] }),
      'The data differ: a A, B (sha256 01234567…); b bars (sha256 ffffffff…) and C. The runs used different bars.',
    ],
    [
      stored({}, {}, { data: null }),
      'The data differ: a A, B (sha256 01234567…); b of no file. The runs used different bars.',
    ],
    [
      stored({ evaluatedFrom: '2024-01-02' }),
      'The periods differ: a 2024-01-01 to 2024-01-03; b 2024-01-02 to 2024-01-03. Paired intervals use only the sessions that both runs have.',
    ],
    [
      stored({}, { settings: { commissionRate: 0.1, leverage: 2 } }),
      'Costs or trading terms differ (commissionRate, leverage). They may explain the difference, rather than the strategy.',
    ],
    [stored({ initialCash: '200' }), 'The initial cash differs.'],
    [
      stored({}, { settings: { currency: 'EUR' } }),
      'The currencies differ: a USD; b EUR. Amounts of money are not compared, and no figure includes exchange rates.',
    ],
    [
      stored({}, { dates: ['2024-01-01', '2024-01-08', '2024-01-15'] }),
      expect.stringMatching(/^The lengths of bars differ: a .*day.*; b .*week/) as unknown as string,
    ],
    [
      stored({ periodsPerYear: 265 }),
      'Periods per year differ (252, 265): volatility and Sharpe ratios are annualised by different counts.',
    ],
    [
      stored({ sealed: false, openDoors: ['network', 'files'] }),
      'The runs differ in what could influence them from outside: a sealed; b not sealed: network, files.',
    ],
    [
      stored({}, { outcome: 'insolvent' }),
      'Not completed: b (insolvent). Figures cover the processed bars only, and differences are not tested.',
    ],
    [stored({}, { damage: ['cut'] } as object), 'The journal is incomplete: b.'],
  ])('state one reason (%#)', (other, warning) => {
    expect(warnings(other)).toEqual([warning]);
    const isSame = !/^The (data|periods)/.test(String(warning));
    expect(sameBars([stored(), other])).toBe(isSame);
  });

  it('group runs with equal texts, and name at most three', () => {
    const other = () => stored({ lastBar: null });
    expect(warnings(other(), other())[0]).toContain(
      'differ: 2024-01-01 to 2024-01-03 (“a”); no bar (“b”, “c”).',
    );
    expect(warnings(other(), other(), other())[0]).toContain('no bar (“b”, “c”, “d”)');
    expect(warnings(other(), other(), other(), other())[0]).toContain('no bar (“b”, “c” and 2 more)');
  });
});

describe('the overlap of two runs', () => {
  const trade = (entry: string, exit: string, more: object = {}) => ({
    ...{ netPnl: '1', entryTime: entry, exitTime: exit, ...more },
  });
  const days = [1, 2, 3, 4, 5].map((day) => `2024-01-0${day}`);
  const record = (sketch: Partial<RecordSketch>) =>
    runRecord({ equity: [1, 1, 1, 1, 1], dates: days, ...sketch });

  it('counts shared entries, common positions and their sizes', () => {
    const own = record({
      trades: [trade(days[1]!, days[3]!), trade(days[4]!, days[4]!, { symbol: 'B' })],
      exposure: [0, 0.5, 1, 0, 0],
    });
    const other = record({
      trades: [trade(days[1]!, days[2]!)],
      openTrades: [openTrade({ symbol: 'AAA', side: 'short', entryTime: days[3]! })],
      exposure: [0, -1, 0, 0.5, 0.5],
    });
    // The positions are equal on the first two days. On the third day, only the first run has a position.
    expect(tradeOverlap(own, other)).toEqual({
      sharedEntries: 1,
      share: 0.5,
      sameSide: 0.4,
      sameSize: 0.5 / 3,
    });
    expect(tradeOverlap(other, own)).toMatchObject({ share: 0.5, sameSide: 0.4 });
    expect(tradeOverlap(own, own)).toEqual({ sharedEntries: 2, share: 1, sameSide: 1, sameSize: 1 });
  });

  it('is undefined without trades, common bars and exposures', () => {
    const idle = record({ exposure: [0, 0, 0, 0, 0] });
    expect(tradeOverlap(idle, idle)).toEqual({ sharedEntries: 0, share: null, sameSide: 1, sameSize: null });
    const later = record({ dates: days.map((day) => day.replace('2024', '2025')) });
    expect(tradeOverlap(idle, later)).toMatchObject({ sameSide: null, sameSize: null });
    expect(tradeOverlap(record({ exposure: [0, null, 1, 0, 0] }), idle).sameSize).toBeNull();
  });
});

describe('the inputs of runs', () => {
  it('are compared with defaults, and named flat', () => {
    const other = stored({}, { settings: { currency: 'USD', risk: { maxDrawdown: 0.2 } }, strategy: 'y' });
    expect(settingsThatDiffer([stored(), other])).toEqual([
      { name: 'strategy', values: ['test', 'y'] },
      { name: 'setting risk', values: [undefined, { maxDrawdown: 0.2 }] },
    ]);
    const facts = {
      parameters: { fast: 5, on: true, name: 'n' },
      models: ['m', 'n'],
      settings: { risk: { maxDrawdown: 0.2 } },
    };
    expect([...flatFactsOf(facts)]).toEqual([
      ['fast', '5'],
      ['on', 'true'],
      ['name', 'n'],
      ['model', 'm and n'],
      ['risk.maxDrawdown', '0.2'],
    ]);
    expect([...flatFactsOf({ parameters: null, models: [], settings: [] })]).toEqual([]);
  });

  it('determine whether equal results are duplicates of the same run', () => {
    const trades = [{ netPnl: '1' }];
    const runs = [
      stored(),
      stored({}, { settings: { leverage: 2 } }),
      stored({}, { equity: [100, 101, 103] }),
      stored({}, { settings: { currency: 'EUR' } }),
      stored({}, {}, { data: null }),
      stored({}, { trades }),
      stored(),
      { ...stored(), record: { ...stored().record, models: [{ model: 'm' }] } } as unknown as StoredRun,
    ];
    expect(duplicatesOf(runs)).toEqual([
      { run: 1, of: 0, isSameRun: false },
      { run: 6, of: 0, isSameRun: true },
      { run: 7, of: 0, isSameRun: false },
    ]);
  });
});
