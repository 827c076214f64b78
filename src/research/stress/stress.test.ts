import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defineStrategy } from '../../agents/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { type StressOptions, stressFromCode } from './from-code.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-stress-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

const market = simulateMarket({ seed: 6, bars: 120, price: 100 });
const real = market.series[0]!.close;

/**
 * Strategy that throws an error in some worlds. The difference between the close of bar 5 in the world and in
 * the data, in cents, decides if it throws the error `one`, the error `two` or none.
 */
const failing = defineStrategy({
  name: 'failing',
  summary: 'Fails in some worlds.',
  onBar({ bar, window, orders }) {
    if (bar === 1) orders.buy(5);
    if (bar === 8) orders.close();
    if (bar === 11) orders.buy(1);
    if (bar === 12) orders.close();
    if (bar !== 5) return;
    const apart = Math.round(window.close.at(-1)! * 100) - Math.round(real[5]! * 100);
    if (apart !== 0 && apart % 3 === 1) throw new Error('one');
    if (apart !== 0 && apart % 3 === 2) throw new Error('two');
  },
});

const buying = (at: readonly number[]) =>
  defineStrategy({
    name: 'buying',
    summary: 'Buys and sells.',
    onBar({ bar, orders, account }) {
      if (at.includes(bar)) account.units() === 0 ? orders.buy(5) : orders.close();
    },
  });

const stress = (own: Partial<StressOptions>) =>
  stressFromCode({
    strategy: buying([]),
    data: market,
    worlds: 3,
    out,
    settings: { warmUp: undefined },
    ...own,
  } as never);

describe('the result of a stress test', () => {
  it('counts failed worlds by error, most frequent first', async () => {
    const { folder, failed, failures, worlds, asked, insolvent } = await stress({
      strategy: failing,
      worlds: 40,
    });
    const rows = readFileSync(join(folder, 'worlds.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { world: number; outcome: string; error?: string });
    expect([worlds, asked, insolvent]).toEqual([40, 40, 0]);
    const count = (text: string) => rows.filter(({ error }) => error?.includes(text) === true).length;
    expect(failed).toBe(count('one') + count('two'));
    expect(failures.map(({ worlds: number }) => number)).toEqual(
      [count('one'), count('two')].sort((a, b) => b - a),
    );
    expect(failures[0]!.error).toContain(count('one') >= count('two') ? 'one' : 'two');
    expect(rows.map(({ world }) => world)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  it('is made of the bars from the start of the evaluation', async () => {
    const date = new Date(market.clock[50]!).toISOString().slice(0, 10);
    const bars = async (settings: object) => (await stress({ settings: settings as never })).made.bars;
    expect(await bars({})).toBe(119);
    expect(await bars({ evaluateFrom: date })).toBe(70);
    expect(await bars({ evaluateFrom: 'first-decision' })).toBe(119);
  });

  it.each([
    [[], 'The order of trades is not shuffled: the run closed none, and at least two are needed.'],
    [[1, 3], 'The order of trades is not shuffled: the run closed one, and at least two are needed.'],
    [[1, 3, 5, 7], undefined],
  ])('shuffles the order of at least two closed trades: %j', async (at, note) => {
    const result = await stress({ strategy: buying(at), shuffleTrades: 20 });
    expect(result.notes.filter((text) => text.includes('shuffled'))).toEqual(
      note === undefined ? [] : [note],
    );
    if (note !== undefined) expect(result.shuffledTrades).toBeNull();
    else expect(result.shuffledTrades).toMatchObject({ repeats: 20 });
    expect(await stress({ strategy: buying(at) })).not.toHaveProperty('shuffledTrades');
  });

  it('is the same for the same seed, and differs for another', async () => {
    const strategy = buying([1, 30, 40, 70]);
    const of = async (seed: number) =>
      (await stress({ strategy, worlds: 5, settings: { seed } as never })).figures;
    const [one, again, other] = [await of(1), await of(1), await of(2)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('needs a run on the data with a result', async () => {
    const broken = defineStrategy({
      name: 'broken',
      summary: 'Fails.',
      onBar() {
        throw new Error('always.');
      },
    });
    await expect(stress({ strategy: broken })).rejects.toMatchObject({
      code: 'no_result',
      message: expect.stringMatching(
        /^The run on the original data has no result: .*always[^.]*\.$/s,
      ) as string,
    });
  });
});
