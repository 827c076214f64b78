import { describe, expect, it } from 'vitest';
import { textIn } from '../../../test/support/page-sketch.ts';
import type { StressFigure } from '../../results/analysis/index.ts';
import { spread } from './charts.ts';

const found = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].map(([, ...own]) => own);
const figure = (own: object) =>
  ({ actual: 0.5, better: 1, p: null, interval: null, quantiles: null, ...own }) as StressFigure;
const values = Array.from({ length: 201 }, (_, at) => at / 200);

describe('the histogram of a stress test', () => {
  const draw = (own: object = {}, isNull = true, given: readonly number[] = values) =>
    spread('totalReturn', figure(own), given, isNull).text;

  it('has 40 bins, of which those at least as good as the actual value are darker', () => {
    const rects = found(
      draw(),
      /<rect class="(\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g,
    );
    // The range is from 0.005 to 0.995, the values at 0.5% and 99.5%, with a margin of 2%.
    const [low, high] = [0.005 - (0.995 - 0.005) * 0.02, 0.995 + (0.995 - 0.005) * 0.02];
    const width = (high - low) / 40;
    const counts = Array<number>(40).fill(0);
    for (const value of values) counts[Math.min(39, Math.max(0, Math.floor((value - low) / width)))]! += 1;
    const highest = Math.max(...counts);
    expect(rects).toEqual(
      counts.map((count, bin) => {
        const height = (count / highest) * 144;
        const kind = low + (bin + 0.5) * width >= 0.5 ? 'own' : 'pale';
        return [kind, (bin * 12.5 + 0.5).toFixed(1), (168 - height).toFixed(1), '11.5', height.toFixed(1)];
      }),
    );
    const kinds = (text: string) =>
      found(text, /<rect class="(\w+)"/g)
        .flat()
        .filter((kind) => kind === 'own').length;
    expect(kinds(draw({ better: -1 }))).toBe(20);
    expect([kinds(draw({}, false)), kinds(draw({ better: 0 })), kinds(draw({ actual: null }))]).toEqual([
      0, 0, 0,
    ]);
  });

  it('marks the actual value', () => {
    const mark = (actual: number) =>
      found(
        draw({ actual }),
        /<line class="actual" x1="([\d.]+)" x2="[\d.]+" y1="20" y2="168"><\/line><text class="name" x="[\d.]+" y="14" text-anchor="(\w+)">(.*?)</g,
      )[0];
    expect(mark(0.5)).toEqual(['250.0', 'middle', 'actual 50.00%']);
    expect(mark(0.99)![1]).toBe('end');
    expect(mark(0.02)![1]).toBe('start');
    expect(mark(5)).toEqual([
      (((4.995 + 4.995 * 0.02) / (4.995 * 1.04)) * 500).toFixed(1),
      'end',
      'actual 500.00%',
    ]);
    expect(draw({ actual: null })).not.toContain('class="actual"');
    expect(draw()).toContain('<line class="axis" x1="0" x2="500" y1="168" y2="168">');
    expect(found(draw(), /y="184"[^>]*>(.*?)</g)).toEqual([['−1.48%'], ['101.48%']]);
  });

  it('has a caption with the range and the p-value', () => {
    expect(textIn(draw())).toContain('Actual 50.00%.');
    const quantiles = { q05: 0.1, q95: 0.9 };
    const whole = draw({
      quantiles,
      p: 0.25,
      interval: { low: 0.125, high: 0.5 },
    });
    expect(textIn(whole)).toContain(
      'Actual 50.00%; nine worlds of ten 10.00% to 90.00%; p = 0.25 (0.13 to 0.50).',
    );
    expect(textIn(draw({ p: 0.25 }))).toContain('Actual 50.00%.');
  });

  it('is replaced by a sentence for equal or missing values, and widened for nearly equal values', () => {
    expect(textIn(draw({}, true, []))).toContain('It is defined in no world. Actual 50.00%.');
    expect(textIn(draw({}, true, [1]))).toContain('It is defined in one world alone.');
    expect(textIn(draw({}, true, [0.25, 0.25, 0.25]))).toContain(
      '25.00% in each of 3 worlds. Actual 50.00%.',
    );
    // All values except one are equal. The axis extends by half of this value to each side.
    const equal = [...Array<number>(300).fill(0.2), 0.9];
    expect(found(draw({ actual: 0.2 }, true, equal), /y="184"[^>]*>(.*?)</g)).toEqual([
      ['10.00%'],
      ['30.00%'],
    ]);
    const zero = [...Array<number>(300).fill(0), 0.9];
    expect(found(draw({ actual: 0 }, true, zero), /y="184"[^>]*>(.*?)</g)).toEqual([['−50.00%'], ['50.00%']]);
  });
});
