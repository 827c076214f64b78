import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Roll } from '../actions/corporate-action.ts';
import { barSeries } from '../bars/bar-columns.ts';
import { continuousSeries, loadExpiries, readRollRule } from './continuous.ts';
import { loadFunding } from './funding.ts';
import { loadRolls, rollsCsv, saveRolls } from './rolls-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'futures-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (lines: readonly string[]): string => {
  const file = join(folder, 'table.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};
const faultsOf = async (read: Promise<unknown>): Promise<string[]> => {
  const error = await read.then(
    () => new Error('no fault'),
    (thrown: unknown) => thrown as Error,
  );
  return error.message
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replaceAll(/\S*table\.csv /g, ''));
};
const UTC = (text: string): number => Date.parse(`${text}Z`);

describe('a file of funding rates', () => {
  const load = (...lines: string[]) => loadFunding(fileOf(['symbol,date,rate', ...lines]));

  it('is read with upper-case symbols, sorted by time', async () => {
    const { rates, source } = await load('btc,2024-01-01T08:00,0.00010', 'ETH,2024-01-01,-0.0002');
    expect(rates).toEqual([
      { symbol: 'ETH', time: UTC('2024-01-01T00:00'), kind: 'funding', rate: '-0.0002' },
      { symbol: 'BTC', time: UTC('2024-01-01T08:00'), kind: 'funding', rate: '0.0001' },
    ]);
    expect(source).toMatchObject({
      kind: 'funding',
      rows: 2,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('is refused with every fault, by line', async () => {
    const faults = await faultsOf(
      load(
        ...[
          ',2024-01-01,0.1',
          'A,2024-01-02,x',
          'A,2024-01-02,0.1',
          'A,2024-01-01,0.1',
          'B,soon,',
          'B,2024-01-01,0.1',
        ],
      ),
    );
    expect(faults.map((line) => line.split(/[:;]/).slice(0, 2).join(':'))).toEqual([
      'line 2: the symbol is empty',
      expect.stringMatching(/^line 3: rate "x"/),
      'line 4: repeats the time 2024-01-02 of line 3',
      'line 5: 2024-01-01 is earlier than 2024-01-02 of line 4',
      expect.stringMatching(/^line 6: /),
      expect.stringMatching(/^line 6: /),
    ]);
    expect(faults.join()).toContain('the rate is empty');
  });
});

describe('a file of rolls', () => {
  const roll = (
    time: string,
    oldContract: string,
    newContract: string,
    prices: readonly [string, string],
  ): Roll => ({
    ...{ symbol: 'ES', time: UTC(time), kind: 'roll', oldContract, newContract },
    ...{ oldPrice: prices[0], newPrice: prices[1] },
  });
  const rolls = [
    roll('2024-03-11T00:00', 'ESH4', 'ESM4', ['100', '103']),
    roll('2024-06-10T14:30', 'ESM4', 'ESU4', ['30', '20.5']),
  ];
  const HEADER = 'symbol,date,from,to,from_price,to_price,gap,ratio';
  const load = (...lines: string[]) => loadRolls(fileOf([HEADER, ...lines]));

  it('is written with gaps and ratios, and read back', async () => {
    const text = rollsCsv(rolls);
    expect(text.split('\n')).toEqual([
      HEADER,
      'ES,2024-03-11,ESH4,ESM4,100,103,3,1.03',
      'ES,2024-06-10T14:30:00Z,ESM4,ESU4,30,20.5,-9.5,0.683333333333',
      '',
    ]);
    const file = join(folder, 'rolls.csv');
    await saveRolls(rolls, file);
    expect(readFileSync(file, 'utf8')).toBe(text);
    const { rolls: read, source } = await loadRolls(file, undefined, 'America/New_York');
    // A date without a time of day does not depend on the time zone.
    expect(read).toEqual(rolls);
    expect(source).toMatchObject({ file, kind: 'rolls', rows: 2 });
  });

  it('is refused with every fault, by line', async () => {
    const faults = await faultsOf(
      load(
        ...['ES,2024-03-11,,ESM4,0,x,,', 'ES,2024-03-11,ESM4,ESU4,1,2,,', 'ES,2024-03-12,ESH4,ESU4,1,2,1.5,'],
        ...[
          'ES,2024-03-13,ESU4,ESZ4,1,2,1,',
          'NQ,2024-03-01,a,b,1,2,,',
          'NQ,2024-03-02,c,d,1,2,,',
          'NQ,soon,c,d,1,2,,',
        ],
      ),
    );
    expect(faults.map((line) => line.replace(/ \(.*/, ''))).toEqual([
      'line 2: from is empty',
      'line 2: from_price "0" is not a price above 0',
      'line 2: to_price "x" is not a price above 0',
      'line 3: is not after the roll of ES before it, 2024-03-11',
      'line 4: gap "1.5" is not to_price minus from_price: 1',
      'line 4: rolls from ESH4, but the previous roll went into ESU4',
      'line 7: rolls from C, but the previous roll went into B',
      expect.stringMatching(/^line 8: /),
    ]);
  });

  it('may mix symbols, and is sorted by time', async () => {
    const { rolls: read } = await load('NQ,2024-03-12,a,b,1,2,1,2', 'ES,2024-03-11,c,d,1,2,,');
    expect(read.map(({ symbol, oldContract }) => symbol + oldContract)).toEqual(['ESC', 'NQA']);
  });
});

describe('a file of expiries', () => {
  const load = (...lines: string[]) => loadExpiries(fileOf(['contract,expiry,roll', ...lines]));

  it('is read with upper-case contracts and optional roll dates', async () => {
    expect(await load('esh4,2024-03-15,2024-03-08', 'ESM4,2024-06-21,')).toEqual([
      { contract: 'ESH4', expiry: UTC('2024-03-15T00:00'), roll: UTC('2024-03-08T00:00') },
      { contract: 'ESM4', expiry: UTC('2024-06-21T00:00'), roll: undefined },
    ]);
  });

  it('is refused with every fault, by line', async () => {
    const faults = await faultsOf(
      load(',2024-03-15,', ',2024-03-15,', 'A,2024-03-15,', 'a,2024-03-15,', 'B,,'),
    );
    expect(faults.slice(0, 3)).toEqual([
      'line 2: the contract is empty',
      'line 3: the contract is empty',
      'line 5: repeats the contract A of line 4',
    ]);
    expect(faults).toHaveLength(4);
  });
});

describe('a roll rule', () => {
  it('is volume, dates, or a number of days', () => {
    expect([' Volume ', 'dates', 'days:5', 'days:0', 'days:999'].map(readRollRule)).toEqual([
      ...[{ kind: 'volume' }, { kind: 'dates' }, { kind: 'days', days: 5 }],
      ...[
        { kind: 'days', days: 0 },
        { kind: 'days', days: 999 },
      ],
    ]);
    expect(['days:', 'days:1000', 'days:-1', 'x', ''].map(readRollRule)).toEqual(Array(5).fill(undefined));
  });
});

describe('a chain of contracts', () => {
  const HOUR = 3_600_000;
  const day = (number: number): number => UTC('2024-01-01T00:00') + number * 24 * HOUR;
  const bars = (symbol: string, times: readonly number[], price: (at: number) => number, volume = 10) =>
    barSeries(
      symbol,
      times.map((time, at) => {
        const open = price(at);
        return { time, open, high: open + 2, low: open - 2, close: open + 1, volume: volume + at };
      }),
    );
  const join3 = (adjust: 'back' | 'ratio' | 'none', kind: 'days' | 'volume' = 'days') =>
    continuousSeries(
      [
        bars('A', [0, 1, 2, 3].map(day), (at) => 100 + at),
        bars('B', [2, 3, 4, 5].map(day), (at) => 110 + at),
        bars('C', [4, 5, 6].map(day), (at) => 90 + at),
      ],
      {
        symbol: 'X',
        expiries: [
          { contract: 'A', expiry: day(3) },
          { contract: 'B', expiry: day(5) },
          { contract: 'C', expiry: day(9) },
        ],
        roll: kind === 'days' ? { kind, days: 0 } : { kind },
        adjust,
      },
    );

  it('is adjusted by the sum of all later gaps, or by the product of all later ratios', () => {
    // A is replaced by B on day 3 at 103 and 111, B by C on day 5 at 113 and 91.
    const { series, rolls } = join3('none');
    expect(rolls.map(({ time, oldPrice, newPrice }) => [time, oldPrice, newPrice])).toEqual([
      [day(3), '103', '111'],
      [day(5), '113', '91'],
    ]);
    expect([...series.open]).toEqual([100, 101, 102, 111, 112, 91, 92]);
    expect([...series.volume]).toEqual([10, 11, 12, 11, 12, 11, 12]);
    const back = join3('back').series;
    expect([...back.open]).toEqual([86, 87, 88, 89, 90, 91, 92]);
    expect([...back.high]).toEqual([88, 89, 90, 91, 92, 93, 94]);
    expect([...back.low]).toEqual([84, 85, 86, 87, 88, 89, 90]);
    expect([...back.close]).toEqual([87, 88, 89, 90, 91, 92, 93]);
    const factor = (111 / 103) * (91 / 113);
    const ratio = [...join3('ratio').series.close];
    for (const [at, close] of [101, 102, 103].entries()) expect(ratio[at]).toBeCloseTo(close * factor, 9);
    for (const [at, close] of [112, 113].entries()) expect(ratio[at + 3]).toBeCloseTo((close * 91) / 113, 9);
    expect(ratio.slice(5)).toEqual([92, 93]);
  });

  it('rolls on the last day of a contract if the next contract never has more volume', () => {
    expect(join3('none', 'volume').rolls.map(({ time }) => time)).toEqual([day(3), day(5)]);
  });

  it('is refused if its contracts cannot be joined, with every fault', () => {
    const expiries = [
      { contract: 'A', expiry: day(3), roll: day(4) },
      { contract: 'B', expiry: day(9) },
    ];
    const [one, other] = [bars('A', [0, 3].map(day), () => 100), bars('B', [3, 4].map(day), () => 100)];
    const dates = { symbol: 'X', expiries, roll: { kind: 'dates' }, adjust: 'none' } as const;
    expect(() => continuousSeries([one, other], dates)).toThrow(
      /1 fault\n {2}A: has its roll date 2024-01-05 after its expiry$/,
    );
    expect(() => continuousSeries([one], dates)).toThrow(
      'contracts: there is 1 of them: at least 2 are needed',
    );
    const noDate = { ...dates, expiries: [{ contract: 'A', expiry: day(3) }, expiries[1]!] };
    expect(() => continuousSeries([one, other], noDate)).toThrow(/1 fault\n {2}A: has no roll date$/);
    // A bar of the last hour of the expiry day is allowed, and so is a roll date within this day.
    const hours = [day(0), day(3) + 23 * HOUR];
    const late = { ...dates, expiries: [{ ...expiries[0]!, roll: day(3) + 23 * HOUR }, expiries[1]!] };
    const joined = continuousSeries([bars('a', hours, () => 100), bars('B', hours, () => 100)], late);
    expect(joined.rolls.map(({ time, oldContract }) => [time, oldContract])).toEqual([[hours[1], 'a']]);
    expect('interval' in joined.series).toBe(false);
    const withInterval = continuousSeries([{ ...one, interval: '1d' }, other], {
      ...late,
      roll: { kind: 'volume' },
    });
    expect(withInterval.series.interval).toBe('1d');
  });

  it('is refused if an adjusted price would be 0', () => {
    const low = bars('A', [0, 1].map(day), (at) => 11 + at);
    const cheap = bars('B', [1, 2].map(day), () => 3);
    const options = {
      symbol: 'X',
      roll: { kind: 'volume' },
      adjust: 'back',
      expiries: [
        { contract: 'A', expiry: day(1) },
        { contract: 'B', expiry: day(9) },
      ],
    } as const;
    expect(() => continuousSeries([low, cheap], options)).toThrow(
      'X 2024-01-01: would be at 0 after all later gaps',
    );
  });
});
