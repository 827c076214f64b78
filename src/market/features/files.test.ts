import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadPointInTime } from '../point-in-time/load.ts';
import { loadFeatures } from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-feature-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (name: string, ...lines: string[]): string => {
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
};
const faultsOf = async (read: Promise<unknown>): Promise<string[]> => {
  const error = await read.then(
    () => new Error(''),
    (thrown: unknown) => thrown as Error,
  );
  return error.message
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replaceAll(`${folder}/`, ''));
};
const DAY = Date.UTC(2024, 0, 31);

describe('files of features', () => {
  it('are read as tables with their lag, and with the hash of each file', async () => {
    const file = fileOf(
      'a.csv',
      'Date,Available_At,Ticker,mood',
      '2024-01-31,,aaa,1',
      '2024-01-31,2024-02-13T08:30,bbb,',
    );
    const { tables, sources } = await loadFeatures({ paths: [file], lag: '2d' });
    expect(tables).toEqual([
      {
        ...{
          source: file,
          symbols: ['AAA', 'BBB'],
          lag: expect.objectContaining({ milliseconds: 2 * 86_400_000 }),
        },
        columns: [{ name: 'mood', type: 'number', values: [1, null] }],
        dates: Array(2).fill(expect.objectContaining({ instant: DAY, wholeDay: true })),
        known: [
          undefined,
          expect.objectContaining({ instant: Date.UTC(2024, 1, 13, 8, 30), wholeDay: false }),
        ],
      },
    ]);
    const sha256 = createHash('sha256')
      .update('Date,Available_At,Ticker,mood\n2024-01-31,,aaa,1\n2024-01-31,2024-02-13T08:30,bbb,\n')
      .digest('hex');
    expect(sources).toEqual([{ file, sha256, features: ['mood'], rows: 2 }]);
    const plain = await loadFeatures({ paths: [file], lag: '0d' });
    expect('lag' in plain.tables[0]!).toBe(false);
    await expect(loadFeatures({ paths: [] })).rejects.toThrow('No file of features was given.');
  });

  it('are refused with every fault, by line', async () => {
    const file = fileOf(
      'b.csv',
      'date,symbol,x',
      '2024-01-31,AAA,1,2',
      'soon,AAA,1',
      '2024-02-01,,2',
      '2024-02-02,AAA,y',
      '2024-02-03,AAA',
      '2024-02-02,AAA,3',
      '2024-02-02,AAA,4',
    );
    const faults = await faultsOf(loadFeatures({ paths: [file] }));
    expect(faults).toEqual([
      'b.csv line 2: has 4 cells where the header has 3',
      expect.stringMatching(/^b\.csv line 3: date "soon" is not a date/),
      'b.csv line 4: the symbol is empty; a file about all symbols has no such column',
      'b.csv line 5: x: "y" is not a number, as most of its column are',
      'b.csv line 6: has 2 cells where the header has 3',
      'b.csv line 7: repeats the date 2024-02-02 of line 5 (a revision needs its own, different available_at)',
      'b.csv line 8: repeats the date 2024-02-02 of line 5 (a revision needs its own, different available_at)',
    ]);
    expect(await faultsOf(loadFeatures({ paths: [fileOf('c.csv', 'date,x')] }))).toEqual([
      'c.csv: no row below the header',
    ]);
  });

  it('may have a feature in common only if all of their columns are equal', async () => {
    const one = fileOf('one.csv', 'date,x,y', '2024-01-31,1,2');
    const part = fileOf('part.csv', 'date,x,y', '2024-02-29,1,2');
    expect((await loadFeatures({ paths: [one, part] })).tables).toHaveLength(2);
    const other = fileOf('other.csv', 'date,X,z', '2024-01-31,1,2');
    const text = fileOf('text.csv', 'date,x,y', '2024-02-29,1,word');
    const hint = '(rename one of them; parts of one table have the same columns, of the same types)';
    expect(await faultsOf(loadFeatures({ paths: [one, other] }))).toEqual([
      `other.csv: has the feature X, and so has one.csv ${hint}`,
    ]);
    expect(await faultsOf(loadFeatures({ paths: [one, text] }))).toEqual([
      `text.csv: has the feature x, and so has one.csv ${hint}`,
      `text.csv: has the feature y, and so has one.csv ${hint}`,
    ]);
  });
});

describe('files of documents, fundamentals and a universe', () => {
  it('are loaded together, with their number of rows', async () => {
    const documents = [
      fileOf('d1.csv', 'id,available_at,title', 'n1,2024-01-31,One', 'n2,2024-01-31,Two'),
      fileOf('d2.csv', 'id,available_at,title', 'n3,2024-01-31,Three'),
    ];
    const fundamentals = [
      fileOf('f.csv', 'symbol,field,period_end,available_at,value', 'AAA,eps,2023-12-31,2024-01-31,1'),
    ];
    const universe = fileOf('u.csv', 'symbol,from,to', 'AAA,,', 'BBB,2024-01-01,');
    const found = await loadPointInTime({ documents, fundamentals, universe });
    expect(found.documents.map(({ id }) => id)).toEqual(['n1', 'n2', 'n3']);
    expect([found.fundamentals.length, found.universe?.length]).toEqual([1, 2]);
    expect(found.sources.map(({ kind, rows }) => [kind, rows])).toEqual([
      ['documents', 2],
      ['documents', 1],
      ['fundamentals', 1],
      ['universe', 2],
    ]);
    expect(await loadPointInTime({})).toEqual({ documents: [], fundamentals: [], sources: [] });
  });

  it('are refused with repeated ids of any file, and without a file', async () => {
    const documents = [
      fileOf('e1.csv', 'id,available_at,title', 'n1,2024-01-31,One'),
      fileOf('e2.csv', 'id,available_at,title', 'n1,2024-01-31,Two'),
    ];
    expect(await faultsOf(loadPointInTime({ documents }))).toEqual([
      'e2.csv line 2: repeats the id n1 of e1.csv line 2 (a correction needs a different id)',
    ]);
    for (const kind of ['documents', 'fundamentals'])
      await expect(loadPointInTime({ [kind]: [] })).rejects.toMatchObject({
        ...{ code: `bad_${kind}`, message: `No file of ${kind} was named.` },
      });
    await expect(loadPointInTime({ universe: fileOf('v.csv', 'symbol,from', ',x') })).rejects.toMatchObject({
      code: 'bad_universe',
    });
  });
});
