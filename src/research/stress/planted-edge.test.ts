import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { defineStrategy } from '../../agents/index.ts';
import { createRandom } from '../../kernel/index.ts';
import type { BarSeries } from '../../market/index.ts';
import { stressFromCode } from './from-code.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-planted-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const BARS = 400;
const DAY = 86_400_000;

/**
 * Generates daily bars. Each bar moves in the direction of the previous bar with the probability
 * `persistence`. A value of 0.5 results in a random walk.
 */
function bars(persistence: number): BarSeries {
  const random = createRandom(11, 'planted');
  const close: number[] = [];
  let [price, direction] = [100, 1];
  for (let bar = 0; bar < BARS; bar++) {
    if (random.next() > persistence) direction = -direction;
    price *= 1 + direction * (0.002 + 0.01 * random.next());
    close.push(Math.round(price * 100) / 100);
  }
  // Each bar opens at the close of the previous bar.
  const open = close.map((_, index) => close[Math.max(0, index - 1)]!);
  return {
    symbol: 'MADE-UP',
    time: Float64Array.from(close, (_, index) => Date.UTC(2020, 0, 1) + index * DAY),
    open: Float64Array.from(open),
    high: Float64Array.from(close, (value, index) => Math.max(value, open[index]!)),
    low: Float64Array.from(close, (value, index) => Math.min(value, open[index]!)),
    close: Float64Array.from(close),
    volume: new Float64Array(BARS).fill(1_000),
  };
}

const follower = defineStrategy({
  name: 'follower',
  summary: 'In the market after a rise.',
  onBar({ window, account, orders }) {
    const { close } = window;
    if (close.length < 2) return;
    const rose = close.at(-1)! > close.at(-2)!;
    if (rose && account.units() === 0) orders.buy(100);
    else if (!rose && account.units() !== 0) orders.close();
  },
});

const stressOn = (persistence: number) =>
  stressFromCode({ strategy: follower, data: [bars(persistence)], worlds: 200, shuffleTrades: 100, out });

const onPlanted = stressOn(0.7);

it('a planted edge has a small p-value, and a random walk does not', async () => {
  const planted = await onPlanted;
  expect(planted.figures.sharpe.p).toBeLessThan(0.02);
  expect(planted.verdict.because[0]).toContain('luck alone rarely gives such a result');
  const walk = await stressOn(0.5);
  expect(walk.figures.sharpe.p).toBeGreaterThan(0.1);
  expect(walk.figures.sharpe.actual).toBeLessThan(planted.figures.sharpe.actual!);
});

it('the printed figures have a documented JSON form', async () => {
  const { folder, seconds: _, ...report } = await onPlanted;
  expect(report).toMatchObject({ worlds: 200, kind: 'permute' });
  const { sharpe } = report.figures;
  expect(Object.keys(sharpe)).toEqual(expect.arrayContaining(['actual', 'p', 'quantiles']));
  expect(JSON.parse(readFileSync(join(folder, 'stress.json'), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(report)),
  );
  // Reordering and redrawing the run's trades was simulated 100 times, as `shuffleTrades` requested.
  expect(report.shuffledTrades).toMatchObject({ repeats: 100 });
});
