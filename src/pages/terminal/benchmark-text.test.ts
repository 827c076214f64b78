import { describe, expect, it } from 'vitest';
import { columnsOf, type TextStyle, writeText } from '../../kernel/index.ts';
import { BENCHMARK_ROWS, type BenchmarkRow } from '../../results/analysis/series/index.ts';
import { benchmarkTableHtml } from '../report/model/tiles.ts';
import { benchmarkText } from './benchmark-text.ts';

const style = (width: number, change: Partial<TextStyle> = {}): TextStyle => ({
  width,
  colour: false,
  ascii: false,
  ...change,
});

const ROWS: readonly BenchmarkRow[] = BENCHMARK_ROWS.map((name, place) => {
  const isBounded = name !== 'exposure' && name !== 'turnover';
  return {
    name,
    own: 0.1234 * (place + 1),
    benchmark: -0.2,
    scaled: name === 'turnover' ? null : -0.1,
    against: name === 'volatility' || name === 'turnover' ? 'benchmark' : 'scaled',
    difference: 0.2234 + place / 10,
    low: isBounded ? 0.01 : null,
    high: isBounded ? (place === 2 ? 1.5 : 12.5) : null,
    supports: place === 0 ? 'better' : null,
  };
});

describe('the benchmark table in a terminal', () => {
  it('has all columns at 80 columns', () => {
    const lines = benchmarkText(ROWS, true, style(80));
    expect(lines.slice(0, 4)).toEqual([
      '               Strategy  Benchmark  Equal vol.  Difference        95% interval',
      'Return          +12.34%    −20.00%     −10.00%   +22.34 pp  +1.00 to +1,250.00',
      'CAGR            +24.68%    −20.00%     −10.00%   +32.34 pp  +1.00 to +1,250.00',
      'Volatility †     37.02%    −20.00%     −10.00%   +42.34 pp    +1.00 to +150.00',
    ]);
    expect(lines.at(-1)).toBe('Turnover †        1.11      −0.20           –     +1.02');
  });

  it('has units and a drawing of each interval at 120 columns, and blocks of columns at 40', () => {
    const wide = benchmarkText(ROWS, true, style(120));
    expect(wide[0]).toContain('At equal volatility');
    expect(wide[3]).toMatch(/^Volatility a year † .* {2}│──●─{6}$/);
    const narrow = benchmarkText(ROWS, true, style(40));
    expect(narrow.filter((line) => line.startsWith('Return')).length).toBe(3);
    expect(narrow.join('\n')).toContain('+1.00 to +1,250.00');
    // A wrapped interval could be misread as a different interval.
    expect(benchmarkText(ROWS, true, style(30)).join('\n')).not.toContain(' to ');
  });

  it.each([30, 40, 60, 80, 100, 120, 200])('fits into %i columns, in ASCII too', (width) => {
    for (const ascii of [false, true]) {
      const lines = benchmarkText(ROWS, true, style(width, { ascii }));
      for (const line of lines) expect(columnsOf(line)).toBeLessThanOrEqual(width);
      if (ascii) expect(lines.join('\n')).toMatch(/^[\n -~]+$/);
    }
  });

  it('omits columns without values', () => {
    const alone = ROWS.map((row) => ({ ...row, benchmark: null, scaled: null, difference: null, low: null }));
    expect(benchmarkText(alone, true, style(80)).slice(0, 2)).toEqual([
      '                     Strategy',
      'Return                +12.34%',
    ]);
  });

  it('colours differences that an interval supports, and nothing if the verdict does not compare', () => {
    const green = `${String.fromCharCode(27)}[32m`;
    const shown = (isJudged: boolean): string => {
      let all = '';
      const write = (part: string): boolean => {
        all += part;
        return true;
      };
      writeText({ write }, benchmarkText(ROWS, isJudged, style(80, { colour: true })).join('\n'));
      return all;
    };
    const coloured = shown(true)
      .split('\n')
      .filter((line) => line.includes(green));
    expect(coloured.length).toBe(1);
    expect(coloured[0]).toMatch(/^Return/);
    expect(shown(false)).not.toContain(green);
  });

  it('shows the numbers of the table in the report', () => {
    const page = benchmarkTableHtml(ROWS, { benchmark: 'it', isJudged: true }).text;
    const cells = [
      ...page.matchAll(/<td>([^<]*)<\/td>|<td class="difference">([^<]*)|<small>([^<]+ to [^<]+)</g),
    ]
      .map(([, value, difference, interval]) => (value ?? difference ?? interval ?? '').trim())
      .filter((text) => text !== '');
    expect(cells.length).toBe(BENCHMARK_ROWS.length * 4 + BENCHMARK_ROWS.length - 2);
    const text = benchmarkText(ROWS, true, style(80)).join('\n');
    for (const cell of cells) expect(text).toContain(cell);
  });
});
