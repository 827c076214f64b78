import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadInstruments, publishedFiles, type SideFile, unmatchedWarnings } from './instruments-file.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-instruments-'));
afterAll(() => rmSync(root, { recursive: true }));
let files = 0;
const written = (ending: string, text: string): string => {
  const file = join(root, `${++files}.${ending}`);
  writeFileSync(file, text);
  return file;
};
/** Returns the faults of a file without the first line of the message. */
async function faultsOf(file: string): Promise<string> {
  const error: unknown = await loadInstruments(file).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'bad_instruments' });
  return (error as Error).message.split('\n').slice(1).join('\n').replaceAll(file, 'F');
}

describe('a table of instruments', () => {
  it('has one line for each symbol, and accepts other column names', async () => {
    const file = written(
      'csv',
      'Ticker,Point Value,Tick Size,Initial Margin,currency,commission,Lot Size\nes,50,0.25,12000,usd,0.001,1\n cl ,1000,,,EUR,,0.1\n',
    );
    const { instruments, sideFile } = await loadInstruments(file);
    expect(instruments).toEqual({
      ES: {
        ...{ multiplier: 50, tick: 0.25, margin: 12000, currency: 'USD', lot: expect.anything() as unknown },
        commission: { model: 'rate', rate: 0.001 },
      },
      CL: { multiplier: 1000, currency: 'EUR', lot: expect.anything() as unknown },
    });
    expect(sideFile).toEqual({ file, symbols: ['ES', 'CL'], kind: 'instruments' });
  });

  it('is refused with every fault, by line', async () => {
    const file = written('csv', 'symbol,multiplier,commission\nES,x,0.1\n,1,\nCL,1,odd\nES,2,\n');
    const faults = await faultsOf(file);
    expect(faults.split('\n').sort()).toEqual([
      '  F line 2 multiplier: "x" is not a number',
      '  F line 3: the symbol is empty',
      '  F line 4 commission: invalid model "odd". Expected rate, fixed, per-share, tiered, maker-taker',
      '  F line 5: duplicate symbol ES, already defined in F line 2',
    ]);
  });
});

describe('a JSON file of instruments', () => {
  it('has an object by symbol, or a list of objects', async () => {
    const terms = { multiplier: 50, names: ['Mini'] };
    for (const content of [{ es: terms }, [{ symbol: 'es', ...terms }]])
      expect(await loadInstruments(written('JSON', `\ufeff${JSON.stringify(content)}`))).toMatchObject({
        instruments: { ES: terms },
        sideFile: { symbols: ['ES'] },
      });
  });

  it.each([
    ['{"ES": {"multiplier": 50}', 'F: invalid JSON'],
    ['5', 'F: expected a JSON object, for example'],
    ['[1]', 'F: expected a JSON object, for example'],
    ['{}', 'F: the file contains no instruments'],
    ['[]', 'F: the file contains no instruments'],
    ['[{"multiplier": 1}]', 'F row 1: the symbol is empty'],
    ['[{"symbol": "A"}, {"symbol": 7}]', 'F row 2: the symbol is empty'],
    ['{"ES": {"multiplier": -1}}', 'F ES multiplier'],
    ['{"ES": 5}', 'F ES'],
    ['{"ES": {}, "es": {}}', 'F es: duplicate symbol ES, already defined in F ES'],
    ['{"ES": {"multiplier": 1}, "ES": {"multiplier": 2}}', 'ES'],
  ])('is refused: %s', async (content, fault) => {
    const faults = await faultsOf(written('json', content));
    expect(faults).toContain(fault);
    expect(faults.trim().split('\n')).toHaveLength(1);
  });
});

describe('the symbols of published files', () => {
  it('are those of their rows, or all symbols', () => {
    const published = {
      documents: [{ symbols: [] }, { symbols: ['A', 'B'] }],
      fundamentals: [{ symbol: 'C' }],
      universe: [{ symbol: 'D' }],
      sources: [
        { kind: 'documents', file: 'd1', rows: 1 },
        { kind: 'universe', file: 'u', rows: 1 },
        { kind: 'documents', file: 'd2', rows: 1 },
      ],
    };
    expect(publishedFiles(published as never)).toEqual([
      { file: 'd1', symbols: [''], kind: 'documents' },
      { file: 'd2', symbols: ['A', 'B'], kind: 'documents' },
      { file: 'u', symbols: ['D'], kind: 'universe' },
    ]);
    expect(publishedFiles({ documents: [], fundamentals: [], sources: [] } as never)).toEqual([]);
  });
});

describe('a warning about symbols that are not in the data', () => {
  const known = new Set(['AAA', 'BBB', 'CCC']);
  const warned = (kind: SideFile['kind'], ...symbols: string[]) =>
    unmatchedWarnings([{ file: 'f', symbols, ...(kind === undefined ? {} : { kind }) }], known, ['VIX']);

  it('depends on the kind of the file', () => {
    expect(warned(undefined, 'AAA', 'X')).toEqual(['f: ignored 1 row of X, not in the data']);
    expect(warned(undefined, 'AAA', 'Y', 'X', 'X')).toEqual(['f: ignored 3 rows of X, Y, not in the data']);
    expect(warned('instruments', 'AAA', 'BBBB', 'QQ')).toEqual([
      'f: ignored BBBB (did you mean BBB?), QQ, not in the data',
    ]);
    expect(warned('documents', 'AAA', 'X', 'VIX')).toEqual([
      'f: documents name symbols that are not in the data: X',
    ]);
    expect(warned('fundamentals', 'AAA', 'VIX')).toEqual(['f: ignored 1 row of VIX, not in the data']);
    expect(warned('fundamentals')).toEqual([]);
  });

  it('states for a universe the missing and the excluded symbols', () => {
    expect(warned('universe', 'AAA', 'BBB', 'CCC')).toEqual([]);
    expect(warned('universe', 'AAA', 'X')).toEqual([
      'f: the data have no bars of X. Without delisted symbols results look better than they were (survivorship bias)',
      'f: BBB, CCC can never be traded, because the file has no line for it',
    ]);
  });

  it('names at most five symbols, and the error names at most twenty symbols of the data', () => {
    const names = (count: number) =>
      Array.from({ length: count }, (_, at) => `S${String(at).padStart(2, '0')}`);
    expect(warned(undefined, 'AAA', ...names(5))).toEqual([
      'f: ignored 5 rows of S00, S01, S02, S03, S04, not in the data',
    ]);
    expect(warned(undefined, 'AAA', ...names(7))).toEqual([
      'f: ignored 7 rows of S00, S01, S02, S03, S04 and 2 more, not in the data',
    ]);
    const hintOf = (count: number): string => {
      try {
        unmatchedWarnings([{ file: 'f', symbols: ['X'] }], new Set(names(count)), []);
      } catch (error) {
        return (error as { hint: string }).hint;
      }
      return '';
    };
    expect(hintOf(20)).toBe(`Spell symbols as in the data: ${names(20).join(', ')}.`);
    expect(hintOf(22)).toBe(`Spell symbols as in the data: ${names(20).join(', ')} and 2 more.`);
  });
});
