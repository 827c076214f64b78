import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOwnFolders, write } from '../../../test/support/data-folder.ts';
import { DAY } from '../../kernel/index.ts';
import type { ColumnPlan } from './headers.ts';
import { readPlainBars } from './plain-text.ts';

inOwnFolders();

const HEADER = 'date,open,high,low,close,volume';
const PLAN: ColumnPlan = { time: 0, prices: [1, 2, 3, 4], volume: 5, extra: [] };
const at = (text: string): number => Date.parse(text.endsWith('Z') ? text : `${text}Z`);

/** Returns the columns of a text, or `undefined` if the text needs the full reader. */
async function columnsOf(
  text: string | Buffer,
  plan: ColumnPlan | undefined = PLAN,
): Promise<number[][] | undefined> {
  const bars = await readPlainBars(write('x.csv', text), () => plan);
  return bars?.columns.map((column) => [...column]);
}

/** Returns the times of rows with the given dates. */
const timesOf = async (...dates: string[]): Promise<number[] | undefined> =>
  (await columnsOf(`${HEADER}\n${dates.map((date) => `${date},2,4,1,3,7`).join('\n')}\n`))?.[0];

/** Returns the bar of the row `2020-01-15` with the given cells. */
const rowOf = async (cells: string): Promise<number[] | undefined> =>
  (await columnsOf(`${HEADER}\n2020-01-15,${cells}\n`))?.map(([value]) => value!).slice(1);

describe('dates of a plain text file', () => {
  it('may be any day of the calendar from the year 1000', async () => {
    const days = ['1899-12-31', '1999-12-31', '2022-12-31', '2023-12-31'].flatMap((first) =>
      Array.from({ length: 366 }, (_, day) =>
        new Date(at(`${first}T00:00`) + (day + 1) * DAY).toISOString().slice(0, 10),
      ),
    );
    const all = [...new Set(['1000-01-01', ...days])];
    expect(await timesOf(...all)).toEqual(all.map((date) => at(`${date}T00:00`)));
    for (const month of Array.from({ length: 12 }, (_, index) => index + 1))
      for (const year of [1900, 2023, 2024]) {
        const after = new Date(Date.UTC(year, month, 0)).getUTCDate() + 1;
        expect(await timesOf(`${year}-${String(month).padStart(2, '0')}-${after}`)).toBeUndefined();
      }
  });

  it.each([
    '0999-12-31',
    '2020-00-15',
    '2020-13-15',
    '2020-01-00',
    '2020/01/15',
    '2020-01/15',
    '2020/01-15',
    '2020-1-15',
    '20200115',
    '2O20-01-15',
    '2020-01-15T24:00',
    '2020-01-15T23:60',
    '2020-01-15T23:59:60',
    '2020-01-15T9:30',
    '2020-01-15T09-30',
    '2020-01-15T09:30:5',
    '2020-01-15T09:30:00.5',
    '2020-01-15t09:30',
    '2020-01-15Z',
    '2020-01-15T09:30z',
    '2020-01-15T09:30+01',
    '2020-01-15x',
    '',
  ])('are not %j', async (date) => {
    expect(await timesOf(date)).toBeUndefined();
  });

  it('may have a time of day after a T or a space', async () => {
    const times = [
      '2020-01-15',
      '2020-01-15T00:01',
      '2020-01-15 09:30',
      '2020-01-15T09:30:01',
      '2020-01-15 23:59:59',
    ];
    expect(await timesOf(...times)).toEqual(
      ['T00:00', 'T00:01', 'T09:30', 'T09:30:01', 'T23:59:59'].map((time) => at(`2020-01-15${time}`)),
    );
  });

  it('have a Z at every time of day, or at no time of day', async () => {
    const marked = ['2020-01-14T09:30Z', '2020-01-15', '2020-01-15T09:30:15Z', '2020-01-15 10:00Z'];
    expect(await timesOf(...marked)).toHaveLength(4);
    expect(await timesOf('2020-01-14T09:30Z', '2020-01-15T09:30')).toBeUndefined();
    expect(await timesOf('2020-01-14T09:30', '2020-01-15T09:30Z')).toBeUndefined();
  });

  it('must increase from line to line', async () => {
    expect(await timesOf('2020-01-15', '2020-01-16')).toHaveLength(2);
    expect(await timesOf('2020-01-15', '2020-01-15')).toBeUndefined();
    expect(await timesOf('2020-01-16', '2020-01-15')).toBeUndefined();
  });
});

describe('numbers of a plain text file', () => {
  it('equal the numbers that JavaScript reads', async () => {
    const texts = [
      '1',
      '1.5',
      '007.250',
      '123456789012345',
      '1234567890123456',
      '0.12345678901234',
      '12345678.123456789',
    ];
    // Computed as a quotient of two floats, these numbers would differ in the last bit.
    for (const text of [...texts, '9.240362444979495', '9293.556054592985', '0.30000000000000004'])
      expect(await rowOf(`${text},${text},${text},${text},${text}`)).toEqual(
        [text, text, text, text, text].map(Number),
      );
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 2, maxLength: 17 });
    const numbers = fc.array(fc.tuple(digits, fc.nat(16)), { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(numbers, async (all) => {
        const volumes = all.map(([digit, point]) => {
          const text = digit.join('');
          const split = 1 + (point % (text.length - 1));
          return `${text.slice(0, split)}.${text.slice(split)}`;
        });
        const rows = volumes.map(
          (volume, row) => `${new Date(row * DAY).toISOString().slice(0, 10)},2,4,1,3,${volume}`,
        );
        expect((await columnsOf(`${HEADER}\n${rows.join('\n')}`))?.[5]).toEqual(volumes.map(Number));
      }),
      { numRuns: 20 },
    );
  });

  it.each(['', '.5', '5.', '1.2.3', '1e5', '+1', '-1', ' 1', '1 ', 'x', '1_0', '/1', '1:'])(
    'are not %j',
    async (text) => {
      expect(await rowOf(`2,4,1,3,${text}`)).toBeUndefined();
    },
  );

  it('must form a valid bar', async () => {
    expect(await rowOf('2,2,2,2,0')).toEqual([2, 2, 2, 2, 0]);
    expect(await rowOf('1,4,1,4,7')).toEqual([1, 4, 1, 4, 7]);
    expect(await rowOf('4,4,1,1,7')).toEqual([4, 4, 1, 1, 7]);
    for (const cells of ['0,4,0,3,7', '2,4,0,3,7', '5,4,1,3,7', '2,4,1,5,7', '0.5,4,1,3,7', '2,4,1,0.5,7'])
      expect(await rowOf(cells)).toBeUndefined();
  });
});

describe('lines of a plain text file', () => {
  const ROW = '2020-01-15,2,4,1,3,7';
  const BAR = [[at('2020-01-15T00:00')], [2], [4], [1], [3], [7]];

  it('end with LF or CRLF, may be blank, and need no line end at the end of the file', async () => {
    for (const text of [
      `${HEADER}\n${ROW}`,
      `${HEADER}\n${ROW}\n`,
      `${HEADER}\r\n${ROW}\r\n`,
      `${HEADER}\r\n\r\n\r\n${ROW}\n\n`,
      `${HEADER.replace('date', 'd\tte~')}\n${ROW}\n`,
    ])
      expect(await columnsOf(text)).toEqual(BAR);
  });

  it.each([
    ['no bytes', ''],
    ['no row', `${HEADER}\n`],
    ['a blank header', `  \n${ROW}\n`],
    ['a lone carriage return', `${HEADER}\r${ROW}\r`],
    ['a carriage return in a row', `${HEADER}\n${ROW}\r\r\n`],
    ['a quote in the header', `"date",open,high,low,close,volume\n${ROW}\n`],
    ['other letters in the header', `daté,open,high,low,close,volume\n${ROW}\n`],
    ['a control character in the header', `date\u007f,open,high,low,close,volume\n${ROW}\n`],
    ['a cell too many', `${HEADER}\n${ROW},8\n`],
    ['a cell too few', `${HEADER}\n2020-01-15,2,4,1,3\n`],
    ['another delimiter', `${HEADER}\n${ROW.replaceAll(',', ';')}\n`],
    ['a space behind a row', `${HEADER}\n${ROW} \n`],
    ['a row of a space', `${HEADER}\n${ROW}\n \n`],
  ])('need the full reader with %s', async (_, text) => {
    expect(await columnsOf(text)).toBeUndefined();
  });

  it('may have unused cells with any printable ASCII text', async () => {
    const plan: ColumnPlan = { time: 2, prices: [6, 5, 4, 3], extra: [{ name: 'spread', position: 0 }] };
    const text = (cell: string): string => `spread;note;date;c;l;h;o\n0.5;${cell};2020-01-15;3;1;4;2\n`;
    const bar = [[at('2020-01-15T00:00')], [2], [4], [1], [3], [1], [0.5]];
    for (const cell of ['', 'any, text', 'a\tb', '~']) expect(await columnsOf(text(cell), plan)).toEqual(bar);
    for (const cell of ['"', 'é', '\u007f', '\u001f'])
      expect(await columnsOf(text(cell), plan)).toBeUndefined();
  });

  it('may be tens of thousands, in several pieces of the file', async () => {
    const count = 30_000;
    const rows = Array.from({ length: count }, (_, row) => {
      const time = new Date(row * 60_000).toISOString().slice(0, 16);
      return `${time},2,${4 + row},1,3,${row}.5`;
    });
    const columns = (await columnsOf(`${HEADER}\n${rows.join('\n')}`))!;
    expect(columns.map((column) => column.length)).toEqual(new Array(6).fill(count));
    expect(columns[0]!.every((time, row) => time === row * 60_000)).toBe(true);
    expect(columns[2]!.every((high, row) => high === 4 + row)).toBe(true);
    expect(columns[5]!.every((volume, row) => volume === row + 0.5)).toBe(true);
    for (const few of [1_023, 1_024, 1_025, 2_049])
      expect((await columnsOf(`${HEADER}\n${rows.slice(0, few).join('\n')}`))![5]).toHaveLength(few);
  });

  it('must not be longer than one piece of the file', async () => {
    expect(await columnsOf(`${HEADER},${'x'.repeat(300_000)}\n`)).toBeUndefined();
  });
});

describe('a plain text file', () => {
  it('is hashed, and the number of bytes read is reported', async () => {
    const text = `${HEADER}\n2020-01-15,2,4,1,3,7\n`;
    const seen: number[] = [];
    const headers: (readonly string[])[] = [];
    const planOf = (header: readonly string[]): ColumnPlan => {
      headers.push(header);
      return PLAN;
    };
    const bars = await readPlainBars(write('x.csv', text), planOf, (done) => seen.push(done));
    expect(bars?.sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect([new Set(seen), headers]).toEqual([new Set([text.length]), [HEADER.split(',')]]);
  });

  it('needs the full reader if its header is not understood, or if it cannot be read', async () => {
    const file = write('x.csv', `${HEADER}\n2020-01-15,2,4,1,3,7\n`);
    expect(await readPlainBars(file, () => undefined)).toBeUndefined();
    expect(await readPlainBars('gone.csv', () => PLAN)).toBeUndefined();
    expect(await readPlainBars('.', () => PLAN)).toBeUndefined();
  });
});
