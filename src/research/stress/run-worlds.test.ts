import { describe, expect, it } from 'vitest';
import { runWorlds } from './run-worlds.ts';
import { failedRow, type Spent } from './world-runner.ts';

const spent = (calls: number, tokens: number, usd: number, isExhausted = false): Spent => ({
  ...{ calls, tokens, usd, isExhausted },
});

interface Ran {
  readonly spent?: Spent;
  readonly stopped?: string;
  readonly aborts?: boolean;
}

/**
 * Calls `runWorlds` with a simulated runner that returns one result of `ran` per world. Returns the end of
 * the test, the budget passed to each world, and all reported rows and usages.
 */
async function run(
  ran: readonly Ran[],
  own: { kind?: 'llm' | 'code'; budget?: object; before?: Spent; aborted?: boolean } = {},
) {
  const { kind = 'llm', budget, before = spent(0, 0, 0), aborted = false } = own;
  const stop = new AbortController();
  if (aborted) stop.abort();
  const [lefts, rows, paid]: [unknown[], unknown[], Spent[]] = [[], [], []];
  const end = await runWorlds({
    request: { market: {}, strategy: {}, ...(budget === undefined ? {} : { budget }) },
    runner: {
      strategy: { kind, tools: [] },
      maker: { facts: { bars: 5 } },
      world(world: number, _: AbortSignal, left: unknown) {
        lefts.push(left);
        const { aborts = false, ...result } = ran[world - 1]!;
        if (aborts) stop.abort();
        return Promise.resolve({ row: world, ...result });
      },
    },
    context: {},
    signal: stop.signal,
    worlds: ran.map((_, at) => at + 1),
    spent: before,
    done: (row: unknown, total: unknown) => rows.push([row, total]),
    paid: (total: Spent) => paid.push(total),
  } as never);
  return { end, lefts, rows, paid };
}

describe('worlds of a prompt', () => {
  const each = { spent: spent(1, 100, 0.5) };

  it('share one budget, each with what earlier worlds have left', async () => {
    const budget = { calls: 10, tokens: 1000, usd: 9 };
    const { end, lefts, rows, paid } = await run([each, each, {}], { budget, before: spent(2, 50, 1) });
    expect(lefts).toEqual([
      { calls: 8, tokens: 950, usd: 8 },
      { calls: 7, tokens: 850, usd: 7.5 },
      { calls: 6, tokens: 750, usd: 7 },
    ]);
    expect(rows).toEqual([
      [1, spent(3, 150, 1.5)],
      [2, spent(4, 250, 2)],
      [3, spent(4, 250, 2)],
    ]);
    expect([end, paid]).toEqual([{ isExhausted: false }, []]);
    expect((await run([each])).lefts).toEqual([{}]);
  });

  it.each([{ calls: 2 }, { tokens: 200 }, { usd: 1 }])(
    'end when the budget %j is exhausted',
    async (budget) => {
      const { end, rows } = await run([each, each, each], { budget });
      expect(end).toEqual({ isExhausted: true });
      expect((rows as [number][]).map(([row]) => row)).toEqual([1, 2]);
    },
  );

  it('have a limit of time for each process', async () => {
    const { lefts } = await run([each], { budget: { seconds: 1000 } });
    const [{ seconds }] = lefts as [{ seconds: number }];
    expect(seconds).toBeLessThanOrEqual(1000);
    expect(seconds).toBeGreaterThan(900);
    expect((await run([each], { budget: { seconds: 0 } })).rows).toEqual([]);
  });

  it.each([
    ['whose budget ran out', { spent: spent(1, 1, 1, true) }, { isExhausted: true }],
    ['whose model stopped', { ...each, stopped: 'no key' }, { isExhausted: false, stopped: 'no key' }],
    ['that was interrupted', { ...each, aborts: true }, { isExhausted: false }],
  ])('count the usage of a world %s, and have no row of it', async (_, second, expected) => {
    const { end, rows, paid, lefts } = await run([each, second, each]);
    expect(end).toEqual(expected);
    expect(lefts).toHaveLength(2);
    expect(rows).toEqual([[1, spent(1, 100, 0.5)]]);
    const more = second.spent;
    expect(paid).toEqual([spent(1 + more.calls, 100 + more.tokens, 0.5 + more.usd)]);
  });

  it('do not begin after an interrupt', async () => {
    expect(await run([each], { aborted: true })).toMatchObject({
      end: { isExhausted: false },
      lefts: [],
      paid: [],
    });
  });
});

it('runs worlds of code one after the other, without the row of an interrupted one', async () => {
  const { end, rows, lefts } = await run([{}, {}, { aborts: true }, {}], { kind: 'code' });
  expect(end).toEqual({ isExhausted: false });
  expect(rows).toEqual([
    [1, undefined],
    [2, undefined],
  ]);
  expect(lefts).toHaveLength(3);
});

it('shortens the error of a failed world, which has no figures', () => {
  const row = failedRow(3, `${'x'.repeat(299)}yz`);
  expect(row).toMatchObject({ world: 3, outcome: 'failed', error: `${'x'.repeat(299)}y` });
  expect(Object.values(row.figures).every((value) => value === null)).toBe(true);
});
