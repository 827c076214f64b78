import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BacktestOptions, type RunEvent, runBacktest } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { openJournal, readJournal, recordOf } from './index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-own-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function eventsOf(options: Partial<BacktestOptions> = {}): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  await runBacktest({
    market: simulateMarket({ seed: 7, bars: 30 }),
    decider: { decide: ({ bar, orders }) => void (bar === 0 && orders.buy(10)) },
    settings: { cash: 5000 },
    onEvent: (event) => events.push(event),
    ...options,
  });
  return events;
}

it('collects the events of a library run into a record as they arrive', async () => {
  const { started, bars, fills, outcome, damage } = recordOf(await eventsOf());
  expect(started).toMatchObject({
    strategy: { name: 'decider', kind: 'rules', parameters: {} },
    settings: { cash: '5000', barTimes: 'start' },
    symbols: ['SIM'],
    bars: 30,
    sealed: false,
    openDoors: ['strategy code runs with your rights'],
  });
  expect([bars.length, fills.length, outcome, damage]).toEqual([30, 1, 'completed', []]);
});

it('records the strategy of the decider, and its cost models as unprotected inputs', async () => {
  const decider = { strategy: { name: 'mine', parameters: { fast: 3 } }, decide: () => undefined };
  const { started } = recordOf(await eventsOf({ decider, costs: { commission: () => 1 } }));
  expect(started).toMatchObject({
    strategy: { name: 'mine', kind: 'rules', parameters: { fast: 3 } },
    openDoors: ['strategy code runs with your rights', 'custom cost model'],
    stamps: ['custom commission model'],
  });
});

it('writes a journal that reads back as the same record', async () => {
  const events = await eventsOf({ settings: { evaluateFrom: '2000-01-10', lookback: 5 } });
  const file = join(folder, 'journal.jsonl');
  const journal = openJournal(file);
  for (const event of events) journal.append(event);
  journal.close();
  expect(readJournal(file)).toEqual(recordOf(events));
});

it('leaves the first event to a caller with emitStart: false', async () => {
  const events = await eventsOf({ emitStart: false });
  expect(events[0]?.type).toBe('order_accepted');
  expect(() => recordOf(events)).toThrow('does not begin with a run_started event');
});
