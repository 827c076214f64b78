import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { simulateMarket } from '../../market/index.ts';
import { runStrategy } from '../run-strategy.ts';
import { unmatchedWarnings } from './instruments-file.ts';

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

describe('rows passed in code', () => {
  it('are refused if all of their symbols are missing from the data', async () => {
    const { series } = simulateMarket({ seed: 1, bars: 5, start: '2024-01-01' });
    const strategy = join(import.meta.dirname, '..', '..', '..', 'strategies', 'buy-and-hold.ts');
    const run = runStrategy({ strategy, data: series, universe: [{ symbol: 'ZZZ' }] });
    await expect(run).rejects.toThrow('(universe in memory): the data contain no symbol of this file: ZZZ');
  });
});
