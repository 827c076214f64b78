import { describe, expect, it } from 'vitest';
import { simulateMarket } from '../market/index.ts';
import type { RunEvent } from './events/events.ts';
import { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';

const market = simulateMarket({ seed: 1, bars: 5 });

async function run(
  decide: (bar: number) => unknown,
  options: Partial<BacktestOptions> = {},
): Promise<{ result: BacktestResult; last: RunEvent | undefined }> {
  const events: RunEvent[] = [];
  const result = await runBacktest({
    market,
    // A strategy may be JavaScript and return any value.
    decider: { decide: (turn) => decide(turn.bar) as undefined },
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { result, last: events.at(-1) };
}

describe('the return value of a decider', () => {
  it.each([
    ['a number', 42, 'is 42, which is not a decision'],
    ['a text', 'buy', 'is "buy", which is not a decision'],
    ['false', false, 'is false, which is not a decision'],
    ['a function', () => 1, 'is a function, which is not a decision'],
    ['a list of orders', [{ action: 'buy', quantity: 1 }], 'is a list, which is not a decision'],
    ['order for orders', { order: [] }, 'has the unknown field "order". A decision has orders only'],
    ['orders and more', { orders: [], stop: 1 }, 'has the unknown field "stop". A decision has orders only'],
    ['a word for orders', { orders: 'buy' }, 'has orders that are "buy", not a list'],
    ['one order for a list', { orders: { action: 'buy', quantity: 1 } }, 'not a list'],
    [
      'far too many orders',
      { orders: new Array(100_001).fill({ action: 'buy', quantity: 1 }) },
      '100001 orders',
    ],
  ])('fails the run if it is %s', async (_, answer, says) => {
    for (const decide of [() => answer, () => Promise.resolve(answer)]) {
      const { result, last } = await run((bar) => (bar === 2 ? decide() : undefined));
      expect(result.outcome).toBe('failed');
      expect(result.bars).toBe(2);
      expect(last).toMatchObject({ type: 'run_finished', error: { code: 'bad_decision' } });
      expect(String(result.error)).toContain('The decision at bar 2');
      expect(String(result.error)).toContain(says);
    }
  });

  it.each([undefined, null, {}, { orders: [] }, { orders: undefined }])(
    'may be %j for no orders',
    async (answer) => {
      expect((await run(() => answer)).result.outcome).toBe('completed');
    },
  );

  it('may be any object with a then method', async () => {
    const answer = (resolve: (value: unknown) => void) =>
      resolve({ orders: [{ action: 'buy', quantity: 1 }] });
    // biome-ignore lint/suspicious/noThenProperty: a promise of another library is just this
    const { result } = await run((bar) => (bar === 1 ? { then: answer } : undefined));
    expect(result.openTrades).toHaveLength(1);
  });
});

describe('the timeout of a decision', () => {
  it('fails a run whose decision does not arrive', async () => {
    const { result, last } = await run((bar) => (bar === 3 ? new Promise(() => undefined) : undefined), {
      settings: { decisionTimeout: 0.02 },
    });
    expect(result).toMatchObject({ outcome: 'failed', bars: 3 });
    expect(last).toMatchObject({
      error: { code: 'decision_timeout', message: /^The decision at bar 3 .* 0.02 s/ },
    });
  });

  it('can be set by the decider and extended by the settings', async () => {
    const slow = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), 60));
    const decider = { decide: slow, decisionTimeout: 0.02 };
    expect((await run(slow, { decider })).result.outcome).toBe('failed');
    expect((await run(slow, { decider, settings: { decisionTimeout: 30 } })).result.outcome).toBe(
      'completed',
    );
  });

  it('excludes time that the engine spends waiting', async () => {
    const slow = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), 60));
    const decider = { decide: slow, decisionTimeout: 0.02 };
    const waiting = { ...decider, waitedMs: () => performance.now() };
    expect((await run(slow, { decider })).last).toMatchObject({ error: { code: 'decision_timeout' } });
    expect((await run(slow, { decider: waiting })).result.outcome).toBe('completed');
  });

  it('excludes waiting time only in the decision in which it occurs', async () => {
    const decide = (bar: number): Promise<undefined> | undefined =>
      bar === 1 ? new Promise(() => undefined) : undefined;
    const decider = {
      decide: ({ bar }: { bar: number }) => decide(bar),
      decisionTimeout: 0.02,
      waitedMs: () => 60_000,
    };
    expect((await run(decide, { decider })).last).toMatchObject({ error: { code: 'decision_timeout' } });
  });

  it('is disabled by default', async () => {
    const slow = (): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), 60));
    expect((await run(slow)).result.outcome).toBe('completed');
  });

  it('detects a promise that can never settle', async () => {
    const running = run((bar) => (bar === 1 ? new Promise(() => undefined) : undefined), {
      settings: { decisionTimeout: 3600 },
    });
    await new Promise(setImmediate);
    process.emit('beforeExit', 0);
    const { result, last } = await running;
    expect(result.outcome).toBe('failed');
    expect(last).toMatchObject({ error: { code: 'decision_never_settles' } });
  });
});

it('stops a run during a decision on abort', async () => {
  let last: RunEvent | undefined;
  const ended = new Promise<BacktestResult>((resolve) => {
    void run(() => new Promise(() => undefined), {
      onEvent: (event) => {
        last = event;
      },
      onStart: (giveUp) => setTimeout(() => resolve(giveUp(new Error('over'), 'failed')), 0),
    });
  });
  expect(await ended).toMatchObject({ outcome: 'failed', bars: 0, error: new Error('over') });
  expect(last).toMatchObject({ type: 'run_finished', outcome: 'failed', error: { message: 'over' } });
});
