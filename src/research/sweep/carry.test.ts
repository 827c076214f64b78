import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { findTestRuntime } from '../../../test/support/ta-python.ts';
import { simulateMarket, toCsv } from '../../market/index.ts';
import type { WalkForwardResult } from '../../results/runs/index.ts';
import { type SweepOptions, sweepFromCode as sweep } from './sweep-from-code.ts';

const hasPython = (await findTestRuntime()) !== undefined;
const root = mkdtempSync(join(tmpdir(), 'sandtable-carry-'));
afterAll(() => rmSync(root, { recursive: true }));

const written = (name: string, text: string): string => {
  writeFileSync(join(root, name), text);
  return join(root, name);
};
const data = written(
  'aaa.csv',
  toCsv(simulateMarket({ seed: 8, bars: 150, symbols: ['AAA'], start: '2019-01-01' }).series[0]!),
);

/**
 * Writes a strategy that has a long position while the close is above the mean of recent closes. `mean` is
 * the code that computes the mean.
 */
const trend = (name: string, tools: string, mean: string): string =>
  written(
    `${name}.ts`,
    `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: '${name}', summary: '', ${tools} parameters: z.object({ length: z.coerce.number() }),
  async onBar({ window, account, orders }, { parameters: { length }, compute }) {
    const above = ${mean};
    if (above && account.units() === 0) orders.submit({ action: 'buy', equityFraction: 0.9 });
    if (!above && account.units() !== 0) orders.close();
  },
});`,
  );
const rule = trend('rule', '', 'window.close.at(-1) > window.close.mean(length)');

async function carried(given: Partial<SweepOptions>): Promise<WalkForwardResult> {
  const { result } = await sweep({
    strategy: rule,
    data,
    jobs: 1,
    keep: 'none',
    out: mkdtempSync(join(root, 'out-')),
    parameters: { length: '2,4,8' },
    settings: { commissionRate: 0.001 },
    objective: 'totalReturn',
    walkForward: 'train=1m,test=1m,carry',
    ...given,
  });
  expect(result!.counts.failed).toBe(0);
  return result!.walkForward!;
}

/** Returns the chosen parameters and the trade count of each window. */
const told = ({ windows }: WalkForwardResult) =>
  windows.map(({ parameters, tradeCount }) => ({ ...parameters, tradeCount }));

describe('a walk-forward that carries positions', () => {
  it('has the same result with a mask', async () => {
    const plain = await carried({});
    const masked = await carried({ mask: ['symbols', 'dates', 'prices'] });
    expect(new Set(plain.windows.map(({ parameters }) => parameters!.length)).size).toBeGreaterThan(1);
    expect(plain.tradeCount).toBeGreaterThan(3);
    expect(told(masked)).toEqual(told(plain));
    expect(masked.equity.map(([date]) => date)).toEqual(plain.equity.map(([date]) => date));
    // A mask scales prices by a factor. Order sizes are therefore rounded to other numbers of units, and the
    // returns differ slightly.
    expect(masked.totalReturn).toBeCloseTo(plain.totalReturn!, 2);
  });

  it.skipIf(!hasPython || !inDepth(3))(
    'has the same result for a strategy that computes in Python',
    async () => {
      const computes = trend(
        'computes',
        "tools: ['compute'],",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own
        '(await compute(`bool(df.close.iloc[-1] > df.close.tail(${length}).mean()) if len(df) >= ${length} else False`)).result',
      );
      const [own, other] = [await carried({}), await carried({ strategy: computes })];
      expect(told(other)).toEqual(told(own));
      expect(other.totalReturn).toBe(own.totalReturn);
    },
  );

  it.each([
    ["settings: ({ length }) => ({ leverage: length, lot: '1' }),", 'settings.leverage'],
    ["settings: { lot: '1' }, costs: ({ length }) => ({ slippage: () => length }),", 'its cost models'],
  ])('refuses a strategy with %s', async (declared, named) => {
    const strategy = written(
      'changing.ts',
      `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'changing', summary: '', parameters: z.object({ length: z.coerce.number() }), ${declared}
  onBar() {},
});`,
    );
    await expect(carried({ strategy })).rejects.toMatchObject({
      code: 'bad_walk_forward',
      message: expect.stringContaining(`makes ${named} of its parameters, and one account`) as string,
    });
    // Settings of the request override the strategy's settings. Without `carry`, each window has a separate
    // account.
    if (named === 'settings.leverage') await carried({ strategy, settings: { leverage: 2 } });
    await carried({ strategy, walkForward: 'train=2m,test=1m' });
  });
});
