/**
 * Property tests of all readers of tables. Line endings, byte order mark, final newline and quotes do not
 * change any value. A file that cannot be read causes an error with the line of the fault.
 */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadActions } from '../src/market/actions/actions.ts';
import { loadFactors } from '../src/market/actions/factors.ts';
import { readCalendar } from '../src/market/calendar/calendar.ts';
import { loadFeatures } from '../src/market/features/read.ts';
import { loadExpiries } from '../src/market/futures/continuous.ts';
import { loadFunding } from '../src/market/futures/funding.ts';
import { loadRolls } from '../src/market/futures/rolls-file.ts';
import { loadPointInTime } from '../src/market/point-in-time/load.ts';
import { loadMarket, loadSeries } from '../src/market/reading/load.ts';
import { loadInstruments } from '../src/runner/inputs/instruments-file.ts';
import { inOwnFolders } from './support/data-folder.ts';
import { randomCases, sampled } from './support/depth.ts';

inOwnFolders();

interface Reader {
  /** Header and rows. The cells contain no commas. */
  readonly lines: readonly string[];
  read(file: string): Promise<unknown>;
}

const BARS = [
  'date,open,high,low,close,volume',
  '2004-01-02,10.5,11,10,10.75,22351900',
  '2004-01-05,10.75,12,10.25,11,1000',
  '2004-01-06,11,12,10.5,11.5,2000',
];
const SYMBOLS = [
  'symbol,epoch,open,high,low,close,volume',
  'AAPL,1073001600,10,11,9,10,5',
  'MSFT,1073001600,20,21,19,20,7',
];

const READERS: Readonly<Record<string, Reader>> = {
  bars: { lines: BARS, read: async (file) => (await loadMarket({ paths: [file] })).market.series },
  'bars of several symbols': {
    lines: SYMBOLS,
    read: async (file) => (await loadMarket({ paths: [file], columns: { date: 'epoch' } })).market.series,
  },
  'detail, context and exchange rates': {
    lines: BARS.map((line) => line.replace(/,[^,]*$/, '')),
    read: async (file) => (await loadSeries({ paths: [file], noVolume: true })).series,
  },
  features: {
    lines: [
      'date,available_at,inflation,word',
      '2024-01-31,2024-02-13 08:30,0.31,high',
      '2024-02-29,2024-03-12,0.4,low',
    ],
    read: async (file) => (await loadFeatures({ paths: [file] })).tables,
  },
  documents: {
    lines: [
      'id,available_at,symbols,title,text',
      'n1,2024-02-01T12:30Z,AAPL,Orders,Strong',
      'n2,2024-02-02,MSFT,Sales,Weak',
    ],
    read: async (file) =>
      (await loadPointInTime({ documents: [file] })).documents.map(({ where: _, ...one }) => one),
  },
  fundamentals: {
    lines: [
      'symbol,field,period_end,available_at,value',
      'AAPL,revenue,2023-12-30,2024-02-01,119575',
      'AAPL,revenue,2024-03-30,2024-05-02,90753',
    ],
    read: async (file) => (await loadPointInTime({ fundamentals: [file] })).fundamentals,
  },
  universe: {
    lines: ['symbol,from,to', 'LEH,2000-01-03,2008-09-15', 'AAPL,,'],
    read: async (file) => (await loadPointInTime({ universe: file })).universe,
  },
  funding: {
    lines: ['symbol,date,rate', 'BTCUSDT,2024-01-01T08:00,0.0001', 'BTCUSDT,2024-01-01T16:00,-0.0002'],
    read: async (file) => (await loadFunding(file)).rates,
  },
  rolls: {
    lines: [
      'symbol,date,from,to,from_price,to_price',
      'ES,2024-03-11,ESH4,ESM4,5110.25,5168.5',
      'ES,2024-06-10,ESM4,ESU4,5200,5260',
    ],
    read: async (file) => (await loadRolls(file)).rolls,
  },
  expiries: {
    lines: ['contract,expiry,roll', 'ESH4,2024-03-15,2024-03-08', 'ESM4,2024-06-21,2024-06-14'],
    read: async (file) => await loadExpiries(file),
  },
  instruments: {
    lines: ['symbol,multiplier,tick', 'ES,50,0.25', 'NQ,20,0.25'],
    read: async (file) => (await loadInstruments(file)).instruments,
  },
  actions: {
    lines: ['symbol,date,kind,amount,ratio', 'ACME,2020-01-06,split,,3:1', 'ACME,2020-01-07,dividend,0.50,'],
    read: async (file) => (await loadActions(file)).actions,
  },
  factors: {
    lines: ['symbol,date,price factor,split factor', 'AAPL,2020-08-30,0.98,0.25', 'AAPL,2021-08-30,0.99,1'],
    read: async (file) => [...(await loadFactors(file))],
  },
  calendar: {
    lines: ['date,closes', '2024-11-28,', '2024-11-29,13:00', '2024-12-25,'],
    read: async (file) => await readCalendar(file),
  },
};

const LINE_ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' };

interface Text {
  readonly ends: readonly string[];
  readonly mark: boolean;
  readonly finalEnd: boolean;
  readonly quoted: boolean;
  /** Line break inside a quoted cell: row and column of the cell, and the characters of the line break. */
  readonly broken?: { readonly row: number; readonly column: number; readonly by: string } | undefined;
}

function written(lines: readonly string[], { ends, mark, finalEnd, quoted, broken }: Text): string {
  const texts = lines.map((line, row) => {
    const cells = line.split(',').map((cell, column) => {
      const isBroken =
        broken !== undefined &&
        broken.row % lines.length === row &&
        broken.column % line.split(',').length === column;
      const content = isBroken ? `${cell}${broken.by}more` : cell;
      return quoted || isBroken ? `"${content}"` : content;
    });
    return `${cells.join(',')}${row < lines.length - 1 || finalEnd ? ends[row % ends.length] : ''}`;
  });
  return `${mark ? '\ufeff' : ''}${texts.join('')}`;
}

let files = 0;

async function outcome(reader: Reader, text: Text, gzip = false): Promise<unknown> {
  const file = `f${++files}.csv${gzip ? '.gz' : ''}`;
  const content = written(reader.lines, text);
  writeFileSync(file, gzip ? gzipSync(content) : content);
  try {
    const found = await reader.read(file);
    return JSON.parse(
      JSON.stringify(found).replaceAll(new RegExp(`f${files}(\\.csv)?(\\.gz)?`, 'gi'), 'FILE'),
    );
  } catch (error) {
    return String((error as Error).message).replaceAll(file, 'FILE');
  }
}

const PLAIN: Text = { ends: ['\n'], mark: false, finalEnd: true, quoted: false };
const anyText = fc.record({
  ends: fc.array(fc.constantFrom('\n', '\r\n', '\r', '\n\r'), { minLength: 1, maxLength: 4 }),
  mark: fc.boolean(),
  finalEnd: fc.boolean(),
  quoted: fc.boolean(),
  broken: fc.option(
    fc.record({ row: fc.nat(3), column: fc.nat(6), by: fc.constantFrom('\n', '\r\n', '\r') }),
    { nil: undefined, freq: 3 },
  ),
});

describe.each(sampled(Object.entries(READERS), 3))('a file of %s', (_name, reader) => {
  it('has the same values with every kind of line end, compressed or not', async () => {
    const expected = await outcome(reader, PLAIN);
    expect(typeof expected).toBe('object');
    for (const end of Object.values(LINE_ENDS))
      for (const [mark, finalEnd, quoted, gzip] of [
        [false, false, false, false],
        [true, true, false, false],
        [true, false, true, false],
        [false, true, false, true],
      ] as const)
        expect(await outcome(reader, { ends: [end], mark, finalEnd, quoted }, gzip)).toEqual(expected);
  });

  it('has the same values, or is refused with the line of the fault', async () => {
    const expected = await outcome(reader, PLAIN);
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const found = await outcome(reader, text);
        if (typeof found === 'string') expect(found).toMatch(/FILE line \d+/);
        else expect(found).toEqual(expected);
      }),
      randomCases(12, 200),
    );
  });
});

describe('a file of JSON', () => {
  const rows = [
    { symbol: 'LEH', from: '2000-01-03', to: '2008-09-15' },
    { symbol: 'AAPL', from: '2001-01-03', to: '2002-09-15' },
  ];
  const instruments = { ES: { multiplier: 50 }, NQ: { multiplier: 20 } };
  const forms: readonly (readonly [string, string, (file: string) => Promise<unknown>])[] = [
    [
      'json',
      JSON.stringify(rows, null, 2),
      async (file) => (await loadPointInTime({ universe: file })).universe,
    ],
    [
      'ndjson',
      `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`,
      async (file) => (await loadPointInTime({ universe: file })).universe,
    ],
    ['json', JSON.stringify(instruments, null, 2), async (file) => (await loadInstruments(file)).instruments],
  ];
  it.each(forms)(
    '(%s) has the same values with every kind of line end and a byte order mark',
    async (kind, text, read) => {
      const found: unknown[] = [];
      for (const end of Object.values(LINE_ENDS))
        for (const mark of ['', '\ufeff']) {
          const file = `j${++files}.${kind}`;
          writeFileSync(file, mark + text.replaceAll('\n', end));
          const outcome = read(file).catch((error: Error) => error.message);
          found.push(await outcome);
        }
      expect(typeof found[0]).toBe('object');
      for (const one of found)
        if (typeof one === 'string') expect(one).toMatch(/\.json line 1: begins with a byte order mark/);
        else expect(one).toEqual(found[0]);
    },
  );
});
