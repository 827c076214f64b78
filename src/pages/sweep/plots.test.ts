import { describe, expect, it } from 'vitest';
import { sweepOfNine } from '../../../test/fixtures/sweep-result.ts';
import { textIn } from '../../../test/support/page-sketch.ts';
import { trial } from '../../../test/support/sweep-trial.ts';
import {
  objectiveFormat,
  parallelFigure,
  parametersText,
  scale,
  scatterFigure,
  sliceFigures,
  valueText,
} from './plots.ts';

const { result } = sweepOfNine();
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...own]) => own);

describe('the numbers and axes of a sweep page', () => {
  it('show fractions as percentages, and large numbers as integers', () => {
    const number = objectiveFormat('sharpe');
    expect([0.12345, 999.9, 1000, -1234.5, null].map(number)).toEqual([
      '0.123',
      '999.900',
      '1,000',
      '−1,234',
      '–',
    ]);
    expect(number(Number.POSITIVE_INFINITY)).toBe('–');
    expect(objectiveFormat('totalReturn')(0.1234)).toBe('12.34%');
    expect([1 / 3, 1234567, 'x', true].map(valueText)).toEqual(['0.333333', '1234570', 'x', 'true']);
    expect(parametersText({ fast: 5, kind: 'sma' })).toBe('fast 5, kind sma');
    expect(parametersText({})).toBe('no parameters');
  });

  it('have axes with a margin of 4% at both ends', () => {
    const up = scale([10, 20], 100, 0);
    expect([up.low, up.high, up.at(15)]).toEqual([10, 20, expect.closeTo(50, 9)]);
    expect(up.at(10)).toBeCloseTo(100 - 100 * (0.4 / 10.8), 9);
    const single = scale([5], 0, 10);
    expect([single.at(5), single.at(5.5), single.at(4.5)]).toEqual([5, 10, 0]);
    expect([scale([0], 0, 10).at(1), scale([0], 0, 10).at(-1)]).toEqual([10, 0]);
  });
});

describe('the picture of a parameter', () => {
  const slices = [
    {
      parameter: 'fast',
      points: [
        { value: 5, trials: 1, best: 0.2, mean: 0.1 },
        { value: 10, trials: 1, best: null, mean: null },
        { value: 20, trials: 1, best: 0.4, mean: 0.3 },
      ],
    },
    { parameter: 'none', points: [{ value: 1, trials: 1, best: null, mean: null }] },
    { parameter: 'one', points: [{ value: 1, trials: 1, best: 0.5, mean: 0.5 }] },
  ];
  const { text } = sliceFigures({ ...result, slices });
  const [fast, none, one] = text.split('<figure>').slice(1) as [string, string, string];

  it('has the best and the mean of each value, and the value of the best trial', () => {
    // The objectives are between 0.1 and 0.4, with a margin of 0.012. The plot is between 10 and 220 units.
    const y = (value: number) => (220 - ((value - 0.088) / 0.324) * 210).toFixed(1);
    expect(found(fast, /<polyline class="(\w+)" points="(.*?)"/g)).toEqual([
      ['held', `52.0,${y(0.1)} 550.0,${y(0.3)}`],
      ['own', `52.0,${y(0.2)} 550.0,${y(0.4)}`],
    ]);
    expect(found(fast, /<circle class="(\w+)" cx="([\d.]+)"/g)).toHaveLength(4);
    expect(found(fast, /<line class="actual" x1="([\d.]+)" x2="([\d.]+)" y1="10" y2="220"/g)).toEqual([
      ['301.0', '301.0'],
    ]);
    expect(found(fast, /y="240" text-anchor="middle">(.*?)</g)).toEqual([['5'], ['10'], ['20']]);
    expect(found(fast, /<text x="44" y="([\d.]+)" text-anchor="end">(.*?)</g)).toEqual([
      [(Number(y(0.4)) + 4).toFixed(1), '0.400'],
      [(Number(y(0.1)) + 4).toFixed(1), '0.100'],
    ]);
    expect(fast).toContain('aria-label="sharpe by fast: best from 0.100 to 0.400"');
    expect(fast).toContain('<line class="axis" x1="52" x2="550" y1="220" y2="220">');
  });

  it('shows a single value in the middle, and a text if no trial has an objective', () => {
    expect(none).toContain('No trial has a value.');
    expect(found(one, /points="([\d.]+),/g)).toEqual([['301.0'], ['301.0']]);
    expect(one).not.toContain('class="actual"');
    expect(found(one, /<text x="44" y="[\d.]+" text-anchor="end">(.*?)</g)).toEqual([['0.500'], ['']]);
    expect(sliceFigures({ ...result, slices, best: null }).text).not.toContain('<line class="actual"');
  });

  it('has at most eight labels, and dots for at most 40 values', () => {
    const points = (count: number) =>
      sliceFigures({
        ...result,
        slices: [
          {
            parameter: 'x',
            points: Array.from({ length: count }, (_, at) => ({ value: at, trials: 1, best: at, mean: at })),
          },
        ],
      }).text;
    expect(found(points(8), /text-anchor="middle">(.*?)</g)).toHaveLength(8);
    expect(found(points(9), /text-anchor="middle">(.*?)</g)).toEqual([['0'], ['2'], ['4'], ['6'], ['8']]);
    expect(points(40)).toContain('<circle');
    expect(points(41)).not.toContain('<circle');
  });
});

describe('the plot of the first half of the period against the second', () => {
  const of = (...pairs: (readonly [number | null, number | null])[]) =>
    scatterFigure({
      ...result,
      scatter: pairs.map(([inSample, outOfSample], at) => ({
        id: at === 0 ? 'trial-11' : `t${at}`,
        inSample,
        outOfSample,
      })),
    }).text;

  it('has a dot for each trial, the best last', () => {
    const text = of([1, 2], [2, 4], [-1, -2], [null, 1], [1, null]);
    const x = (value: number) => (52 + ((value + 1.12) / 3.24) * 498).toFixed(1);
    const y = (value: number) => (220 - ((value + 2.24) / 6.48) * 210).toFixed(1);
    expect(found(text, /<circle class="(\w+)" cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/g)).toEqual([
      ['pale', x(2), y(4), '2.5'],
      ['pale', x(-1), y(-2), '2.5'],
      ['actual', x(1), y(2), '5'],
    ]);
    expect(
      found(text, /<line class="zero" x1="([\d.]+)" x2="([\d.]+)" y1="([\d.]+)" y2="([\d.]+)"/g),
    ).toEqual([
      [x(0), x(0), '10', '220'],
      ['52', '550', y(0), y(0)],
    ]);
    expect(textIn(text)).toContain('Sharpe ratio in the first half, −1.00 to 2.00; upwards in the second');
    expect(found(text, /<text x="44" y="[\d.]+" text-anchor="end">(.*?)</g)).toEqual([['4.00'], ['−2.00']]);
  });

  it('states if good trials remained good', () => {
    expect(of([1, 1], [2, 2], [3, 3])).toContain('halves 1.00: what did well went on doing well.');
    expect(of([1, 3], [2, 2], [3, 1])).toContain('halves −1.00: what did well did badly later.');
    expect(of([1, 1], [2, 3], [3, 0], [4, 2])).toContain('halves 0.00: what did well tells little');
    // The ranks 1, 2, 3 and 4 against 2, 1, 4 and 3 have a correlation of 0.6.
    expect(of([1, 2], [2, 1], [3, 4], [4, 3])).toContain('halves 0.60: what did well went on');
    expect(of([1, 1], [2, 2])).toContain('There are too few trials');
  });
});

describe('parallel coordinates', () => {
  const trials = [
    trial('a', 1, { n: 10, kind: 'x', same: 1 }),
    trial('trial-11', 3, { n: 20, kind: 'y', same: 1 }),
    trial('c', 2, { n: 40, kind: 'x', same: 1 }),
    trial('d', null, { n: 50, kind: 'z', same: 2 }),
  ];
  const space = ['n', 'kind', 'same'].map((name) => ({ name, given: 'flag' as const }));
  const lines = (minimise = false) =>
    found(
      parallelFigure({ ...result, space, objective: { ...result.objective, minimise } }, trials).text,
      /<polyline class="(\w+)" points="(.*?)"/g,
    );

  it('have a line for each trial with an objective, worst first', () => {
    // The axes are at 70, 450 and 830 units. The parameter with one value has no axis.
    const at = (value: number, low: number, high: number) => {
      const room = (high - low) * 0.04;
      return (280 - ((value - low + room) / (high - low + 2 * room)) * 246).toFixed(1);
    };
    const line = (n: number, kind: number, objective: number) =>
      `70.0,${at(n, 10, 40)} 450.0,${at(kind, 0, 1)} 830.0,${at(objective, 1, 3)}`;
    expect(lines()).toEqual([
      ['poor', line(10, 0, 1)],
      ['middle', line(40, 0, 2)],
      ['actual', line(20, 1, 3)],
    ]);
    expect(lines(true).map(([kind]) => kind)).toEqual(['actual', 'middle', 'good']);
  });

  it('label the ends of each axis', () => {
    const { text } = parallelFigure({ ...result, space }, trials);
    expect(found(text, /<text class="name" x="([\d.]+)" y="12" text-anchor="middle">(.*?)</g)).toEqual([
      ['70.0', 'n'],
      ['450.0', 'kind'],
      ['830.0', 'sharpe'],
    ]);
    expect(found(text, /y="27" text-anchor="middle">(.*?)</g)).toEqual([['40'], ['y'], ['3.000']]);
    expect(found(text, /y="296" text-anchor="middle">(.*?)</g)).toEqual([['10'], ['x'], ['1.000']]);
    expect(text).toContain('y1="34" y2="280"');
    expect(text).toContain('A line for each of 3 trials');
    for (const few of [
      trials.slice(0, 2),
      trials.map((one) => ({ ...one, parameters: { n: 1, kind: 'x', same: 1 } })),
    ])
      expect(parallelFigure({ ...result, space }, few).text).toContain('too few trials');
  });
});
