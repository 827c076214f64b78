import { describe, expect, it } from 'vitest';
import type { MaskKind } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { simulateMarket } from '../market/index.ts';
import { Vfs } from '../toolkit/vfs/index.ts';
import { createMask } from './mask.ts';
import { maskMarket } from './mask-world.ts';
import { maskFiles } from './masked-files.ts';

const market = simulateMarket({ seed: 1, bars: 60, symbols: ['GLOBEX', 'HI'], start: '2019-06-03' });
const close = market.series[0]!.close[7]!;
const volume = market.series[0]!.volume[7]!;

const clockOf = (of: typeof market) => ({ market: of, settings: { barTimes: 'start' } }) as const;

function veiled(files: Readonly<Record<string, string>>, kinds: readonly MaskKind[]): Map<string, string> {
  const given = new Vfs();
  for (const [path, content] of Object.entries(files)) given.write(path, content);
  const { files: seen } = maskFiles(
    { files: given, dated: [] },
    market.series,
    clockOf(market),
    createMask(kinds, market, 4),
  );
  return new Map(seen.list().map(({ path, content }) => [path, content]));
}

function faultsOf(line: string, kinds: readonly MaskKind[] = ['symbols', 'dates', 'prices']): string {
  try {
    veiled({ 'notes.txt': line }, kinds);
  } catch (error) {
    if (error instanceof AppError && error.code === 'mask_leaks') return error.message;
    throw error;
  }
  return '';
}

describe('masked start files of an agent', () => {
  it('have names and ISO dates rewritten, also in their paths', () => {
    const files = veiled(
      { 'GLOBEX/plan.csv': 'date,symbol\n2019-06-10,GLOBEX\n', 'code.py': 'df_globex.close.mean() * 1.5\n' },
      ['symbols', 'dates', 'prices'],
    );
    expect([...files.keys()].some((path) => /^S\d\/plan\.csv$/.test(path))).toBe(true);
    const text = [...files.values()].join('');
    expect(text).not.toMatch(/globex|2019-06-10/i);
    expect(text).toMatch(/\d{4}-\d{2}-\d{2},S\d/);
    expect(text).toContain('* 1.5');
  });

  it.each([
    'buy globex',
    'globex_weights = 1',
    'HI',
    'the summer of 2019',
    'June 10, 2019',
    '10/06/19',
    '20190610',
    'datetime(2019, 6, 10)',
    String(Date.UTC(2019, 5, 10) / 1000),
    String(Date.UTC(2019, 5, 10)),
    `support at ${close}`,
    `${volume} shares`,
    volume.toLocaleString('en-US'),
  ])('are refused with "%s"', (line) => {
    expect(faultsOf(line)).toContain('notes.txt:1');
  });

  it.each(['hi, it is 12 bars, 1.5 % and 2000 units', 'since 2019-06-10', 'GLOBEX', '1e6', 'rsi(14) < 30'])(
    'may contain "%s"',
    (line) => {
      expect(faultsOf(line)).toBe('');
    },
  );

  it('are refused with a compact date of the year of the data, and not with other numbers of its form', () => {
    for (let month = 0; month <= 13; month++)
      for (const day of [0, 1, 9, 10, 21, 31, 32]) {
        const number = String(20_190_000 + month * 100 + day);
        const isDate = month >= 1 && month <= 12 && day >= 1 && day <= 31;
        expect(faultsOf(`id = ${number}`) !== '', number).toBe(isDate);
      }
  });

  it('may reveal what the mask does not hide', () => {
    expect(faultsOf('globex in 2019', ['prices'])).toBe('');
    expect(faultsOf(`globex at ${close}`, ['dates'])).toBe('');
    expect(faultsOf(`in 2019 at ${close}`, ['symbols'])).toBe('');
  });

  it('have their dates moved with the bars, also their availability', () => {
    const mask = createMask(['symbols', 'dates'], market, 4);
    const known = { instant: Date.UTC(2019, 5, 10), wholeDay: true };
    const dated = [{ path: 'GLOBEX.md', content: 'GLOBEX on 2019-06-10', known }];
    const [seen] = maskFiles({ files: new Vfs(), dated }, market.series, clockOf(market), mask).dated;
    const bar = market.clock.indexOf(known.instant);
    const shown = maskMarket(market, mask).clock[bar]!;
    expect(shown).not.toBe(known.instant);
    // The file has a date without a time. It becomes visible at the end of this day, with and without a mask.
    expect(seen?.known).toEqual({ instant: shown + 86_400_000, wholeDay: false });
    const [name] = Object.entries(mask.symbols).find(([, real]) => real === 'GLOBEX')!;
    expect(seen?.content).toBe(`${name} on ${new Date(shown).toISOString().slice(0, 10)}`);
    expect(seen?.path).toBe(`${name}.md`);
  });

  it('are refused if they contain the ticker at the beginning of a symbol', () => {
    const daily = simulateMarket({ seed: 1, bars: 30, symbols: ['SPX-DAILY'] });
    const mask = createMask(['symbols'], daily, 4);
    const see = (text: string): string => {
      const files = new Vfs();
      files.write('plan.md', text);
      return (
        maskFiles({ files, dated: [] }, daily.series, clockOf(daily), mask).files.list()[0]?.content ?? ''
      );
    };
    expect(see('Trade SPX-DAILY daily')).toBe('Trade S1 daily');
    expect(() => see('Trade SPX')).toThrow('the symbol SPX');
  });

  it('are refused with every line that reveals something', () => {
    const message = faultsOf('fine\nin 2019\nfine\nglobex');
    expect(message).toContain('notes.txt:2');
    expect(message).toContain('notes.txt:4');
  });
});
