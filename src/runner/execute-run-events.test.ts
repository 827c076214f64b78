import { describe, expect, it } from 'vitest';
import type { Decider, RunEvent } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { Vfs } from '../toolkit/vfs/index.ts';
import { executeRun } from './execute-run.ts';

const market = simulateMarket({ seed: 1, bars: 6, start: '2024-01-01' });
const STARTED = {
  ...{ type: 'run_started', schema: 1, strategy: { name: 's', kind: 'rules', parameters: {} } },
  ...{ settings: { cash: '100', seed: 0 }, symbols: market.symbols, bars: 6, data: null, sealed: true },
} as const;

interface Given {
  readonly decider?: Decider;
  readonly wording?: (text: string) => string;
  readonly keepsRecord?: boolean;
  readonly confirm?: () => Promise<Decider | undefined>;
  readonly withSavepoint?: boolean;
  readonly withEvents?: boolean;
  readonly failsAt?: number;
}

/** Executes a run with a journal in memory. */
async function execute({ decider, withSavepoint = true, withEvents = false, failsAt, ...own }: Given) {
  const written: RunEvent[] = [];
  const heard: RunEvent[] = [];
  let closed = 0;
  const files = new Vfs();
  files.write('a.md', 'x', 'create');
  const executed = await executeRun({
    startedAt: new Date(5),
    journal: {
      append(event) {
        if (written.length === failsAt) throw new Error('disk full');
        written.push(event);
      },
      flush: () => undefined,
      close: () => closed++,
      head: 'head',
      ...(withSavepoint
        ? {
            savepoint: () => {
              const { length } = written;
              return () => void written.splice(length);
            },
          }
        : {}),
    },
    started: STARTED as never,
    files,
    backtest: {
      market,
      settings: { cash: 100 },
      decider: decider ?? { decide: ({ bar, orders }) => void (bar === 1 && orders.buy(1_000_000)) },
    },
    ...(withEvents ? { onEvent: (event: RunEvent) => heard.push(event) } : {}),
    ...own,
  });
  return { executed, written, heard, closed };
}
const typesOf = (events: readonly RunEvent[]) => events.map(({ type }) => type);

describe('an executed run', () => {
  it('writes its start, its files and its events, and has the same record', async () => {
    const { executed, written, heard, closed } = await execute({ withEvents: true });
    expect(typesOf(written).slice(0, 2)).toEqual(['run_started', 'file_written']);
    expect(written.filter(({ type }) => type === 'bar')).toHaveLength(6);
    expect(typesOf(heard)).toEqual(typesOf(written).slice(2));
    expect(executed).toMatchObject({ startedAt: new Date(5), result: { outcome: 'completed', bars: 6 } });
    expect(executed.journalHead()).toBe('head');
    expect(executed.record()!.bars).toHaveLength(6);
    expect(executed.seconds).toBeGreaterThanOrEqual(0);
    expect(closed).toBe(1);
  });

  it('has no record if the caller does not need it', async () => {
    expect((await execute({ keepsRecord: false })).executed.record()).toBeUndefined();
  });

  it('converts messages about orders with the wording function of the strategy', async () => {
    const wording = (text: string): string => text.toUpperCase();
    const rejected = (events: readonly RunEvent[]) => events.find(({ type }) => type === 'order_rejected');
    const plain = rejected((await execute({})).written) as { message: string; remedy: string };
    const { written, heard } = await execute({ wording, withEvents: true });
    const worded = { message: plain.message.toUpperCase(), remedy: plain.remedy.toUpperCase() };
    expect(rejected(written)).toMatchObject(worded);
    expect(rejected(heard)).toMatchObject(worded);
    expect(plain.message).not.toBe(worded.message);
    const cancelling: Decider = {
      decide({ bar, orders }) {
        if (bar === 1) orders.buy(1, { type: 'limit', limitPrice: 0.01 });
        if (bar === 2) orders.cancel(1);
      },
    };
    const cancelled = (await execute({ decider: cancelling, wording })).written.find(
      ({ type }) => type === 'order_cancelled',
    );
    expect(cancelled).toMatchObject({ message: expect.not.stringMatching(/[a-z]/) as string });
  });

  it('is repeated with another decider if the check after the run returns one', async () => {
    const failing: Decider = {
      decide() {
        throw new Error('look-ahead');
      },
    };
    const { executed, written } = await execute({ confirm: async () => failing });
    expect(executed.result).toMatchObject({ outcome: 'failed', bars: 0 });
    expect(typesOf(written)).toEqual(['run_started', 'file_written', 'run_finished']);
    expect(executed.record()).toBeUndefined();
    const passed = await execute({ confirm: async () => undefined });
    expect(passed.executed.result).toMatchObject({ outcome: 'completed' });
    expect(passed.executed.record()).toBeDefined();
    await expect(execute({ confirm: async () => failing, withSavepoint: false })).rejects.toThrow(
      'no savepoints',
    );
  });

  it('has no record if an event could not be written', async () => {
    const outcome = await execute({ failsAt: 6 }).then(
      ({ executed }) => executed.record(),
      (error: unknown) => (error as Error).message,
    );
    expect([undefined, 'disk full']).toContain(outcome);
  });
});
