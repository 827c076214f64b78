import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { FIGURE_NAMES } from './figures.ts';
import { keepRuns, rowsOf, writeTimings } from './keep-runs.ts';
import type { Tried } from './trial-runner.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-rows-'));
afterAll(() => rmSync(out, { recursive: true }));

const tried = (id: string, parameters: object, own: object = {}): Tried =>
  ({
    ...{ trial: { id, parameters }, objective: 2, share: 1 },
    result: { outcome: 'completed', figures: { sharpe: 1.5 }, seconds: 3, ...own },
  }) as unknown as Tried;

describe('the table of trials', () => {
  const all = [
    tried('a', { fast: 1, on: true, mode: 'x', sharpe: 2, mixed: 1 }),
    {
      ...tried(
        'b',
        { fast: 2, on: false, mode: 'y', mixed: 'z' },
        { figures: null, error: { message: 'boom' } },
      ),
      ...{ objective: null, share: 0.5 },
    },
  ];
  const [columns, rows] = rowsOf({ first: {} } as never, { tried: all } as never);

  it('has a typed column for each parameter and figure', () => {
    expect(columns.slice(0, 10)).toEqual([
      { name: 'trial', type: 'text' },
      { name: 'fast', type: 'number' },
      { name: 'on', type: 'boolean' },
      { name: 'mode', type: 'text' },
      { name: 'param_sharpe', type: 'text' },
      { name: 'mixed', type: 'text' },
      { name: 'outcome', type: 'text' },
      { name: 'error', type: 'text' },
      { name: 'objective', type: 'number' },
      { name: 'share', type: 'number' },
    ]);
    expect(columns.slice(10).map(({ name }) => name)).toEqual(FIGURE_NAMES);
    const types = new Map(columns.map(({ name, type }) => [name, type]));
    expect(['sharpe', 'sealed', 'firstBar'].map((name) => types.get(name))).toEqual([
      'number',
      'boolean',
      'text',
    ]);
  });

  it('has a row for each trial, with null for missing values', () => {
    const figures = FIGURE_NAMES.map((name) => (name === 'sharpe' ? 1.5 : null));
    expect(rows).toEqual([
      ['a', 1, true, 'x', 2, 1, 'completed', null, 2, 1, ...figures],
      ['b', 2, false, 'y', null, 'z', 'completed', 'boom', null, 0.5, ...FIGURE_NAMES.map(() => null)],
    ]);
  });

  it('has columns for the parameters of the first combination if no trial ran', () => {
    const [names, none] = rowsOf({ first: { outcome: 1, fast: 2 } } as never, { tried: [] } as never);
    expect(names.slice(1, 3).map(({ name }) => name)).toEqual(['param_outcome', 'fast']);
    expect(none).toEqual([]);
  });
});

it('the file of durations has the seconds of each trial', () => {
  writeTimings(out, { tried: [tried('a', {}), tried('b', {}, { seconds: 0.5 })] } as never, 12);
  expect(JSON.parse(readFileSync(join(out, 'timings.json'), 'utf8'))).toEqual({
    seconds: 12,
    trials: { a: 3, b: 0.5 },
  });
});

it('no run folder is written for a prompt, with `none`, or without a best trial', async () => {
  const keep = (kind: string, own: object, best?: Tried) =>
    keepRuns(
      out,
      { strategy: { kind }, request: { strategy: 's.ts', ...own }, period: {}, files: {} } as never,
      { tried: [tried('a', {})], refused: 0, best },
      {} as never,
    );
  const none = { best: undefined, names: new Map() };
  expect(await keep('llm', {}, tried('a', {}))).toEqual(none);
  expect(await keep('code', { keep: 'none' }, tried('a', {}))).toEqual(none);
  expect(await keep('code', {})).toEqual(none);
});
