import { describe, expect, it } from 'vitest';
import { sweepOfNine } from '../../../test/fixtures/sweep-result.ts';
import { cellsIn } from '../../../test/support/page-sketch.ts';
import { trial } from '../../../test/support/sweep-trial.ts';
import type { SweepResult } from '../../results/runs/index.ts';
import { heatmapFigures, importanceTable } from './heatmaps.ts';
import type { SweepTrial } from './plots.ts';

const { result } = sweepOfNine();
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...own]) => own);

describe('a heatmap', () => {
  const cell = (x: number, y: number, best: number | null, more: object = {}) => ({
    ...{ x, y, trials: 1, best, mean: best, tradeCount: 10, maxDrawdown: -0.1, ...more },
  });
  const map = { x: 'fast', y: 'slow', xs: [5, 10, 20], ys: [20, 40], cells: [] as ReturnType<typeof cell>[] };
  const best = { ...result.best!, parameters: { fast: 5, slow: 40 } };
  const draw = (own: object, more: Partial<SweepResult> = {}, trials: SweepTrial[] = []) =>
    heatmapFigures(
      { ...result, best, heatmaps: [{ ...map, ...own }], ...more },
      trials,
      new Map([['t', 'run-1']]),
    ).text;
  const cells = [
    ...[
      cell(0, 1, 0.9),
      cell(1, 1, 0.1),
      cell(2, 0, 0.5),
      cell(0, 0, null, { mean: 0.2, tradeCount: 30, maxDrawdown: -0.3 }),
    ],
  ];

  it('has a cell for each pair of values, coloured by its best trial', () => {
    const text = draw({ cells }, {}, [trial('t', 0.9, { fast: 5, slow: 40 })]);
    const wide = (520 - 64) / 3;
    const rects = found(
      text,
      /<rect class="(.*?)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill-opacity="([\d.]+)"/g,
    );
    const at = (x: number) => (64 + x * wide + 0.5).toFixed(1);
    expect(rects).toEqual([
      ['cell best strong', at(0), '0.5', (wide - 1).toFixed(1), '43.0', '1.00'],
      ['cell near', at(1), '0.5', (wide - 1).toFixed(1), '43.0', '0.06'],
      ['cell', at(2), '44.5', (wide - 1).toFixed(1), '43.0', '0.53'],
      ['cell none', at(0), '44.5', (wide - 1).toFixed(1), '43.0', '0.00'],
    ]);
    expect(found(text, /data-mean="([\d.]+)" data-trades="([\d.]+)" data-drawdown="([\d.]+)"/g)[3]).toEqual([
      '0.18',
      '1.00',
      '0.06',
    ]);
    expect(text).toContain('data-trial="fast 5, slow 40" data-run="run-1"');
    expect(text).toContain(
      '<title>fast 5, slow 40 · best sharpe 0.900, mean 0.900 of 1 · 10 trades, drawdown −10.00%</title>',
    );
    expect(found(text, /data-texts="(.*?)">(.*?)</g)[0]).toEqual(['0.900|0.900|10|−10%', '0.900']);
    expect(text).toContain('data-ends="0.100|0.900/0.100|0.900/10|30/−30.00%|−10.00%"');
    expect(text).toContain('sharpe: best 0.900 at fast 5, slow 40; worst 0.100 at fast 10, slow 40.');
    expect(found(text, /y="103.0" text-anchor="middle">(.*?)</g)).toEqual([['5'], ['10'], ['20']]);
    expect(found(text, /<text x="58" y="([\d.]+)" text-anchor="end">(.*?)</g)).toEqual([
      ['70.0', '20'],
      ['26.0', '40'],
    ]);
    expect(text).not.toContain('id="axes"');
  });

  it('shows the lowest value as the best if the objective is minimised', () => {
    const text = draw({ cells }, { objective: { ...result.objective, minimise: true } });
    expect(found(text, /fill-opacity="([\d.]+)"/g)).toEqual([['0.06'], ['1.00'], ['0.53'], ['0.00']]);
    expect(text).toContain('data-ends="0.900|0.100/0.900|0.100/10|30/−30.00%|−10.00%"');
    expect(text).toContain('sharpe: best 0.100 at fast 10, slow 40; worst 0.900 at');
  });

  it('assigns each trial to a bin if a parameter has many values', () => {
    const trials = [trial('t', 0.1, { fast: 7, slow: 39 }), trial('u', 0.5, { fast: 99, slow: 20 })];
    const text = draw({ cells: [cell(0, 0, 0.1), cell(2, 0, 0.5), cell(1, 0, 0.7)] }, { best: null }, trials);
    expect(found(text, /data-trial="(.*?)"/g)).toEqual([['fast 7, slow 39'], ['fast 99, slow 20']]);
  });

  it('omits values in small cells, and has at most ten labels per axis', () => {
    const xs = Array.from({ length: 11 }, (_, at) => at);
    expect(draw({ xs, cells })).not.toContain('class="value"');
    expect(draw({ xs: xs.slice(0, 10), cells })).toContain('class="value"');
    expect(found(draw({ xs, cells: [] }), /y="103.0" text-anchor="middle">(.*?)</g)).toHaveLength(6);
    const ys = Array.from({ length: 20 }, (_, at) => at);
    expect(draw({ ys, cells })).not.toContain('class="value"');
    expect(draw({ ys: ys.slice(0, 17), cells })).toContain('class="value"');
    expect(draw({ cells: [] })).toContain('No cell has a value of sharpe.');
    expect(draw({ cells: [] })).toContain('data-ends="–|–/–|–/–|–/–|–"');
    const two = heatmapFigures({ ...result, heatmaps: [map, map] }, [], new Map()).text;
    expect(found(two, /<option value="(\d)">(.*?)</g)).toEqual([
      ['0', 'fast × slow'],
      ['1', 'fast × slow'],
    ]);
    expect(draw({ cells: [cell(0, 0, 0.5), cell(1, 0, 0.5)] })).toContain('fill-opacity="0.50"');
  });
});

it('the importance of a parameter is its share of the variance', () => {
  const slices = ['a', 'b'].map((parameter) => ({ parameter, points: [] }));
  const trials = [
    ...[trial('1', 1, { a: 0, b: 0 }), trial('2', 2, { a: 0, b: 1 }), trial('3', 3, { a: 1, b: 0 })],
    ...[trial('4', 6, { a: 1, b: 1 }), trial('5', null, { a: 9, b: 9 })],
  ];
  // The mean is 3 and the total sum of squares 14. The means by `a` are 1.5 and 4.5, by `b` 2 and 4.
  const { text } = importanceTable({ ...result, slices }, trials) as { text: string };
  expect(cellsIn(text).slice(1)).toEqual([
    ['a', ` ${Math.round((9 / 14) * 100)}%`],
    ['b', ` ${Math.round((4 / 14) * 100)}%`],
  ]);
  expect(text).toContain('width:64.3%');
  expect(importanceTable({ ...result, slices: slices.slice(1) }, trials)).toBe('');
  expect(importanceTable({ ...result, slices }, trials.slice(3))).toBe('');
  const equal = importanceTable(
    { ...result, slices },
    trials.map((one) => ({ ...one, objective: 1 })),
  );
  expect(cellsIn((equal as { text: string }).text)[1]![1]).toBe(' 0%');
});
