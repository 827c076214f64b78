import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { saveBars, simulateMarket } from '../market/index.ts';
import { SILENT } from './context.ts';
import { replayRun } from './replay-run.ts';
import { runStrategy } from './run-strategy.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-in-memory-'));
const strategy = join(import.meta.dirname, '..', '..', 'strategies', 'buy-and-hold.ts');
const market = simulateMarket({ seed: 1, bars: 30, symbols: ['A', 'B'], start: '2024-01-01' });
const [traded, beside] = market.series;
const context = {
  environment: {},
  observer: SILENT,
  listen: () => ({ signal: new AbortController().signal, release: () => undefined }),
};

afterAll(() => rmSync(out, { recursive: true, force: true }));

describe('a run with in-memory inputs that are not files', () => {
  it.each([
    ['features', { features: [{ date: '2024-01-02', mood: 1 }] }, '(features in memory)'],
    ['context', { context: [beside!] }, '(context B in memory)'],
  ])('is not replayed without its %s, and the error states it', async (_kind, given, name) => {
    const data = join(out, 'A.csv');
    await saveBars([traded!], data, { sources: [], query: {} });
    const { folder, outcome } = await runStrategy({ strategy, data, ...given, out });
    expect(outcome).toBe('completed');
    await expect(replayRun(folder, undefined, context, () => undefined)).rejects.toMatchObject({
      code: 'data_changed',
      message: expect.stringContaining(name),
      hint: expect.stringContaining('Run that program again'),
    });
  });
});
