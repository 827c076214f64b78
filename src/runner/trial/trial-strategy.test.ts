import { describe, expect, it } from 'vitest';
import type { BarContext, Decider } from '../../engine/index.ts';
import { carriedDecider, trialDecider } from './trial-strategy.ts';

const calls: string[] = [];
const decider = (name: string, own: Partial<Decider> = {}): Decider => ({
  decide: ({ bar }) => void calls.push(`${name} decides ${bar}`),
  watch: ({ bar }) => void calls.push(`${name} watches ${bar}`),
  close: () => void calls.push(`${name} closes`),
  ...own,
});
const turn = (bar: number): BarContext => ({ bar }) as BarContext;
/** Returns the calls of deciders that `work` makes. */
async function callsOf(work: () => unknown): Promise<string[]> {
  calls.length = 0;
  await work();
  return [...calls];
}

describe('deciders that take over from each other', () => {
  const all = carriedDecider(decider('a', { waitedMs: () => 3, decisionTimeout: 7 }), [
    { firstAsked: 2, decider: decider('b', { waitedMs: () => 4 }) },
    { firstAsked: 4, decider: decider('c') },
  ]);

  it('decide from their first bar on, and watch the bars before it', async () => {
    expect(await callsOf(() => all.decide(turn(0)))).toEqual(['b watches 0', 'c watches 0', 'a decides 0']);
    expect(await callsOf(() => all.decide(turn(1)))).toEqual(['b watches 1', 'c watches 1', 'a decides 1']);
    expect(await callsOf(() => all.decide(turn(2)))).toEqual(['c watches 2', 'b decides 2']);
    expect(await callsOf(() => all.decide(turn(4)))).toEqual(['c decides 4']);
    expect(await callsOf(() => all.watch!(turn(1)))).toEqual(['a watches 1', 'b watches 1', 'c watches 1']);
    expect(await callsOf(() => all.close!())).toEqual(['a closes', 'b closes', 'c closes']);
  });

  it('use the timeout of the first decider, and add up their waiting times', () => {
    expect([all.waitedMs!(), all.decisionTimeout]).toEqual([7, 7]);
    const alone = decider('a');
    expect(carriedDecider(alone, [])).toBe(alone);
    expect(carriedDecider(alone, [{ firstAsked: 1, decider: alone }])).not.toHaveProperty('decisionTimeout');
  });
});

describe('the decider of a trial', () => {
  const account = { positions: () => [{ symbol: 'A' }, { symbol: 'B' }] };
  const closing = (bar: number, fillsAtClose = false): BarContext =>
    ({
      ...{ bar, account },
      orders: {
        fillsAtClose,
        pending: () => [{ id: 5 }, { id: 6 }],
        cancel: (id: number) => calls.push(`cancel ${id}`),
        close: (order: object) => calls.push(`close ${JSON.stringify(order)}`),
      },
    }) as never;
  const closes = [
    ...['cancel 5', 'cancel 6'],
    ...['A', 'B'].map((symbol) => `close {"symbol":"${symbol}","reason":"end of the window"}`),
  ];

  it('is the decider of the strategy if nothing else is requested', () => {
    const own = decider('a');
    expect(trialDecider(own, 10, {})).toBe(own);
    expect(trialDecider(own, 10, { closeAtEnd: false })).toBe(own);
  });

  it('closes all positions at the open of the last bar', async () => {
    const trial = trialDecider(decider('a', { waitedMs: () => 2, decisionTimeout: 9 }), 10, {
      closeAtEnd: true,
    });
    expect(await callsOf(() => trial.decide(closing(7)))).toEqual(['a decides 7']);
    expect(await callsOf(() => trial.decide(closing(8)))).toEqual(closes);
    expect(await callsOf(() => trial.decide(closing(9)))).toEqual(closes);
    // If orders fill at the close, orders of the last bar still fill, so the strategy decides one bar longer.
    expect(await callsOf(() => trial.decide(closing(8, true)))).toEqual(['a decides 8']);
    expect(await callsOf(() => trial.decide(closing(9, true)))).toEqual(closes);
    expect([trial.waitedMs!(), trial.decisionTimeout]).toEqual([2, 9]);
    expect(await callsOf(() => trial.watch!(turn(3)))).toEqual(['a watches 3']);
    expect(await callsOf(() => trial.close!())).toEqual(['a closes']);
  });

  it('reports every decision before it is made', async () => {
    const deciding = (): void => void calls.push('deciding');
    const trial = trialDecider(decider('a'), 10, { deciding });
    expect(await callsOf(() => trial.decide(closing(9)))).toEqual(['deciding', 'a decides 9']);
    expect([trial.waitedMs!(), 'decisionTimeout' in trial]).toEqual([0, false]);
  });
});
