import { expect, test } from 'vitest';
import { sweepOfNine } from '../../../test/fixtures/sweep-result.ts';
import { sweepPage } from './page.ts';
import { rankCorrelation } from './plots.ts';

const { result, trials } = sweepOfNine();
const page = sweepPage(result, trials);

test('the verdict is first, then the warnings, then the figures', () => {
  const order = ['It does not hold out of sample', 'class="warnings"', 'Best trial', 'Parameter sensitivity'];
  const places = order.map((words) => page.indexOf(words));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect([...places].sort((one, other) => one - other)).toEqual(places);
  expect(page).toContain('2 combinations refused');
  expect(page).toContain('The bars from 2010-01-04 on were withheld from this sweep.');
});

test('the page shows when the ledger of its results folder was read', () => {
  expect(sweepPage(result, trials, [], new Date('2026-03-04T05:06:07Z'))).toContain(
    'Results folder read on 2026-03-04 05:06 UTC.',
  );
});

test('the cell of the best trial is outlined, and the darkest', () => {
  const best = [
    ...page.matchAll(/<rect class="cell best[^"]*"[^>]*fill-opacity="([\d.]+)"[^>]*><title>([^<]*)/g),
  ];
  expect(best).toHaveLength(1);
  expect(best[0]![1]).toBe('1.00');
  expect(best[0]![2]).toContain('fast 10, slow 40');
  // The trial "fast 20, slow 40" has no value: its cell is drawn without colour.
  expect(page).toMatch(/<rect class="cell none"[^>]*fill-opacity="0.00"/);
});

test('the map has its scale, the values, the neighbours of the best trial, and the trial of each cell', () => {
  expect(page).toMatch(/<figure data-ends="[^"|]+\|[^"|]+\//);
  expect(page.match(/<rect class="cell near[ "]/g)?.length).toBeGreaterThan(2);
  expect(page).toMatch(/<rect class="cell best[^"]*"[^>]*data-trial="fast 10, slow 40"/);
  expect(page).toMatch(/<text class="value"[^>]*data-texts="[^"]+"/);
  expect(page).not.toMatch(/[Dd]arker/);
});

test('cells and the ten best trials link to the stored runs', () => {
  const kept = sweepPage(result, trials, [], undefined, new Map([[result.best!.id, '20260101-run']]));
  expect(kept).toMatch(/<rect class="cell best[^"]*"[^>]*data-run="20260101-run"/);
  expect(kept).toContain('href="runs/20260101-run/report.html"');
  expect(page).not.toContain('data-run=');
});

test('the importance of a parameter is the share of the variance that its values explain', () => {
  const two = {
    ...result,
    slices: [...result.slices, { ...result.slices[0]!, parameter: 'slow' }],
  };
  const only = trials.map((one) => ({ ...one, objective: Number(one.parameters.fast) }));
  const text = sweepPage(two, only)
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  expect(text).toMatch(/Parameter Importance fast 100% slow 0%/);
});

test('a cell is darkest for the smallest drawdown and for the most trades', () => {
  const cells = [
    ...page.matchAll(/data-trades="([\d.]+)" data-drawdown="([\d.]+)"[^>]*><title>([^ ]+ \d+, [^ ]+ \d+)/g),
  ];
  const at = (name: string) => cells.find(([, , , own]) => own === name)!;
  expect(Number(at('fast 5, slow 20')[2])).toBeGreaterThan(Number(at('fast 20, slow 20')[2]));
  expect(Number(at('fast 5, slow 80')[1])).toBeGreaterThan(Number(at('fast 5, slow 20')[1]));
});

test('the walk-forward table shows the chosen parameters and their later return', () => {
  expect(page).toContain('trained on 3y, tested on 1y');
  expect(page).toMatch(/fast 10, slow 40<\/td><td>0\.900<\/td><td>−0\.300/);
});

test('a hostile name is escaped', () => {
  const hostile = sweepPage(
    { ...result, strategy: { ...result.strategy, name: '<img src=x onerror=alert(1)>' } },
    trials.map((one) => ({ ...one, parameters: { fast: 5, slow: '"><script>alert(1)</script>' } })),
  );
  expect(hostile).not.toContain('<img src=x');
  expect(hostile).not.toContain('<script>alert');
});

test('a sweep without a best trial has a page too', () => {
  const nothing = sweepPage(
    {
      ...result,
      best: null,
      top: [],
      plateau: null,
      heatmaps: [],
      slices: [],
      scatter: [],
      stability: [],
      walkForward: null,
      answer: { holds: null, text: 'No trial has an objective, so there is no best trial.' },
    },
    trials.map((one) => ({ ...one, objective: null })),
  );
  expect(nothing).toContain('Not known');
  expect(nothing).toContain('No trial has an objective');
});

test('the rank correlation of known pairs is correct', () => {
  const points = (pairs: readonly (readonly [number, number])[]) => pairs.map(([x, y]) => ({ x, y }));
  expect(
    rankCorrelation(
      points([
        [1, 10],
        [2, 20],
        [3, 90],
      ]),
    ),
  ).toBe(1);
  expect(
    rankCorrelation(
      points([
        [1, 3],
        [2, 2],
        [3, 1],
      ]),
    ),
  ).toBe(-1);
  // Ties have their mean rank: scipy.stats.spearmanr returns 0.9486832980505138.
  expect(
    rankCorrelation(
      points([
        [1, 1],
        [2, 2],
        [3, 2],
        [4, 3],
      ]),
    ),
  ).toBeCloseTo(0.9486832980505138, 12);
});
