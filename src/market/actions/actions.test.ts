import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadActions } from './actions.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-actions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const faultsOf = async (text: string, name = 'actions.csv'): Promise<string> => {
  try {
    await loadActions(file(name, text));
    return '';
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(`${folder}/`, '') : String(error);
  }
};

const DAY = (text: string): number => Date.parse(`${text}T00:00:00Z`);

describe('loadActions', () => {
  it('reads text in any order of rows and columns, and sorts it: split, dividend, delisting', async () => {
    const text = [
      'Kind;Ex Date;Ticker;Dividend;Split;Price',
      'delisting;2020-03-02;b;;;12.5',
      'Dividend;2020-03-02;b;0.10;;',
      'SPLIT;2020-03-02;b;;1:10;',
      'split;02 Jan 2020;a;;3/2;',
    ].join('\n');
    const { actions, source } = await loadActions(file('any.csv', text));
    expect(actions).toEqual([
      { symbol: 'A', time: DAY('2020-01-02'), kind: 'split', to: '3', from: '2' },
      { symbol: 'B', time: DAY('2020-03-02'), kind: 'split', to: '1', from: '10' },
      { symbol: 'B', time: DAY('2020-03-02'), kind: 'dividend', amount: '0.10' },
      { symbol: 'B', time: DAY('2020-03-02'), kind: 'delisting', price: '12.5' },
    ]);
    expect(source).toMatchObject({ actions: 4, sha256: createHash('sha256').update(text).digest('hex') });
  });

  it('reads JSON with numbers and null values', async () => {
    const rows = [
      { symbol: 'A', date: '2020-01-02', kind: 'dividend', amount: 0.5, price: null },
      { symbol: 'A', date: '2020-01-03', kind: 'delisting' },
    ];
    expect((await loadActions(file('rows.json', JSON.stringify(rows)))).actions).toEqual([
      { symbol: 'A', time: DAY('2020-01-02'), kind: 'dividend', amount: '0.5' },
      { symbol: 'A', time: DAY('2020-01-03'), kind: 'delisting' },
    ]);
  });

  it('reports every fault with its line', async () => {
    const text = [
      'symbol,date,kind,amount,ratio,price',
      'A,2020-01-02,split,,0:1,',
      'A,2020-01-02,dividend,1e3,,',
      'A,2020-01-02,dividend,1,2,',
      ',2020-01-02,dividend,1,,',
      'A,,dividend,1,,',
      'A,2020-01-02,dividend,1',
      'A,2020-01-05,dividend,1,,',
      'A,2020-01-05,dividend,1,,',
      'A,2020-01-05,dividend,2,,',
      'A,2020-01-06,delisting,,,',
      'A,2020-01-07,split,,2:1,',
    ].join('\n');
    const found = await faultsOf(text);
    for (const fault of [
      'actions.csv line 2: ratio is "0:1": give a ratio such as 3:1',
      'actions.csv line 3: amount is "1e3": give an amount above 0',
      'actions.csv line 4: ratio is "2": belongs to another kind of action: remove it',
      'actions.csv line 5: the symbol is empty',
      'actions.csv line 6: the date is empty',
      'actions.csv line 7: has 4 cells where the header has 6',
      'actions.csv line 9: repeats the dividend of A of actions.csv line 8',
      'actions.csv line 12: A was already delisted by actions.csv line 11',
    ])
      expect(found).toContain(fault);
    expect(found).toContain('8 faults');
  });

  it('reports missing columns and files that are not actions', async () => {
    expect(await faultsOf('symbol,when\nA,2020-01-02')).toContain(
      'no column "date", "kind" among "symbol", "when"',
    );
    expect(await faultsOf('')).toContain('the file is empty');
    expect(await faultsOf('symbol,date,kind,amount\nA,01/02/2020,dividend,1\n')).toContain(
      '"01/02/2020" could be two dates: write it as 2020-03-31',
    );
    await expect(loadActions(join(folder, 'gone.csv'))).rejects.toThrow('the file or folder does not exist');
    await expect(loadActions(folder)).rejects.toThrow('it is a folder; name one file');
  });
});
