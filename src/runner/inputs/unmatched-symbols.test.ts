import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LoadedPointInTime, simulateMarket } from '../../market/index.ts';
import { runStrategy } from '../run-strategy.ts';
import { publishedFiles, unmatchedWarnings } from './instruments-file.ts';

const KNOWN = new Set(['AAA', 'BBB']);

describe('symbols of side files', () => {
  it('cause no warning if all are in the data, or if rows apply to all symbols', () => {
    expect(unmatchedWarnings([{ file: 'a.csv', symbols: ['AAA', ''] }], KNOWN, [])).toEqual([]);
  });

  it('cause a warning if some are not in the data', () => {
    expect(unmatchedWarnings([{ file: 'a.csv', symbols: ['AAA', 'X', 'X'] }], KNOWN, [])).toEqual([
      'a.csv: ignored 2 rows of X, not in the data',
    ]);
  });

  it('are refused if none are in the data, for all files together', () => {
    const files = [
      { file: 'a.csv', symbols: ['X'] },
      { file: 'b.csv', symbols: ['AAA'] },
      { file: 'c.csv', symbols: ['Y', 'Z'] },
    ];
    expect(() => unmatchedWarnings(files, KNOWN, [])).toThrow(
      'Files do not fit the data: 2 faults\n' +
        '  a.csv: the data contain no symbol of this file: X\n' +
        '  c.csv: the data contain no symbol of this file: Y, Z',
    );
  });

  it('may be context symbols in documents', () => {
    const documents = { file: 'n.csv', symbols: ['VIX'], kind: 'documents' } as const;
    expect(unmatchedWarnings([documents], KNOWN, ['VIX'])).toEqual([]);
  });
});

it('each file of published data is compared separately', () => {
  const source = (file: string, kind: string, rows: number) => ({ file, kind, rows, sha256: '' });
  const published = {
    documents: [{ symbols: ['AAA', 'X'] }, { symbols: [] }, { symbols: ['Z'] }],
    fundamentals: [{ symbol: 'AAA' }, { symbol: 'BBB' }, { symbol: 'Y' }],
    universe: [{ symbol: 'AAA' }],
    sources: [
      source('n.csv', 'documents', 2),
      source('o.csv', 'documents', 1),
      source('f.csv', 'fundamentals', 2),
      source('g.csv', 'fundamentals', 1),
      source('u.csv', 'universe', 1),
    ],
  } as unknown as LoadedPointInTime;
  const files = publishedFiles(published);
  expect(files.map(({ file, symbols }) => [file, symbols.join()])).toEqual([
    ['n.csv', 'AAA,X,'],
    ['o.csv', 'Z'],
    ['f.csv', 'AAA,BBB'],
    ['g.csv', 'Y'],
    ['u.csv', 'AAA'],
  ]);
  expect(() => unmatchedWarnings(files, KNOWN, [])).toThrow(/o\.csv: .*: Z\n {2}g\.csv: .*: Y$/);
});

describe('rows passed in code', () => {
  it('are refused if all of their symbols are missing from the data', async () => {
    const { series } = simulateMarket({ seed: 1, bars: 5, start: '2024-01-01' });
    const strategy = join(import.meta.dirname, '..', '..', '..', 'strategies', 'buy-and-hold.ts');
    const run = runStrategy({ strategy, data: series, universe: [{ symbol: 'ZZZ' }] });
    await expect(run).rejects.toThrow('(universe in memory): the data contain no symbol of this file: ZZZ');
  });
});
