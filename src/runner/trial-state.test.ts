import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../test/missing.ts';
import { simulateMarket } from '../market/index.ts';
import { SILENT } from './context.ts';
import { evaluateTrial, openTrialWorld } from './trial/trial-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-trial-state-'));
afterAll(() => rmSync(folder, { recursive: true }));
const market = simulateMarket({ seed: 3, bars: 20, symbols: ['AAA'] });
const listen = () => ({ signal: new AbortController().signal, release: () => undefined });

/**
 * Runs three trials of a strategy that increments the counter `state` at every bar and buys `state` units at
 * bar 15. Returns the final equity of each trial.
 */
async function tradesOf(seal: boolean, head: string, state: string): Promise<unknown[]> {
  const strategy = join(folder, `${seal}-${state.replaceAll(/\W/g, '')}.ts`);
  writeFileSync(
    strategy,
    `import { defineStrategy } from 'sandtable';
${head}
const hold: any = globalThis;
export default defineStrategy({
  name: 'state', summary: 'For tests.',
  onBar({ bar, orders }: any) {
    ${state} = (${state} ?? 0) + 1;
    if (bar === 15) orders.buy(${state});
  },
});`,
  );
  const options = seal ? { seal } : {};
  const world = await openTrialWorld(
    { strategy, options, settings: {}, market },
    { environment: {}, observer: SILENT, listen },
  );
  try {
    const figures = [];
    for (let trial = 0; trial < 3; trial++)
      figures.push((await evaluateTrial(world, { parameters: {} })).scalars.finalEquity);
    return figures;
  } finally {
    await world.close();
  }
}

// Sweeps, windows of a walk-forward and worlds of a stress test all run trials with `evaluateTrial`.
describe('a trial does not see the state of an earlier trial', () => {
  it.each([
    ['variables of its module', 'let count: number | undefined;', 'count'],
    ['fields of its own objects', 'const own: any = {};', 'own.count'],
  ])('in %s', async (_, head, state) => {
    const figures = await tradesOf(false, head, state);
    expect(new Set(figures).size).toBe(1);
    expect(figures[0]).toEqual(expect.anything());
  });

  it.skipIf(!buildIsHere()).each([
    ['variables of its module', 'let count: number | undefined;', 'count'],
    ['globals', '', 'hold.trialStateCount'],
    ['prototypes', '', '(Object.prototype as any).trialStateCount'],
  ])('with a seal, in %s', async (_, head, state) => {
    const figures = await tradesOf(true, head, state);
    expect(new Set(figures).size).toBe(1);
    expect(figures[0]).toEqual(expect.anything());
  });
});
