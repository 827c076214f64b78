import assert from 'node:assert/strict';
import type { DataTable } from '@cucumber/cucumber';
import type { OrderRequest } from '../../src/broker/index.ts';
import {
  type BacktestOptions,
  type BacktestResult,
  type Decider,
  type RunEvent,
  type RunSettingsInput,
  runBacktest,
} from '../../src/engine/index.ts';
import { type EventOf, recordOf } from '../../src/journal/index.ts';
import type { Market } from '../../src/market/index.ts';
import { CheckedRun } from '../../src/testing/steps/index.ts';
import type { Problems } from './problems.ts';
import { instantOf } from './tables.ts';

/** Order with the bar at whose close the trader places it. */
export interface PlannedOrder {
  readonly bar: number;
  readonly request: OrderRequest;
}

/** Finished backtest with its result and events. */
export class Backtest {
  readonly result: BacktestResult;
  readonly events: readonly RunEvent[];

  private constructor(result: BacktestResult, events: readonly RunEvent[]) {
    this.result = result;
    this.events = events;
  }

  static async run(
    market: Market,
    decider: Decider,
    settings: RunSettingsInput,
    problems: Problems,
    extras: Pick<BacktestOptions, 'actions' | 'rates' | 'detail'> = {},
  ): Promise<Backtest> {
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent): void => void events.push(event);
    const result = await runBacktest({ market, decider, settings, emitStart: false, onEvent, ...extras });
    for (const event of events) {
      if (event.type === 'order_rejected') problems.note(event, `bar ${event.bar}: ${event.message}`);
    }
    if (result.error !== undefined) problems.note(result, `the run failed: ${String(result.error)}`);
    return new Backtest(result, events);
  }

  of<Type extends RunEvent['type']>(type: Type): EventOf<Type>[] {
    return this.events.filter((event): event is EventOf<Type> => event.type === type);
  }

  /** Returns the date of a bar as in the journal. */
  dateOf(bar: number): string {
    const event = this.of('bar').find((one) => one.bar === bar);
    assert.ok(event, `bar ${bar} was not processed`);
    return event.date;
  }
}

/** Converts a backtest for the checks of `sandtable/steps`. */
export function checkedRun({ result, events }: Backtest, { cash = '100000' }: RunSettingsInput): CheckedRun {
  const started: RunEvent = {
    type: 'run_started',
    schema: 1,
    strategy: { name: 'the trader', kind: 'rules', parameters: {} },
    settings: { cash: String(cash) },
    symbols: [],
    bars: result.bars,
    data: null,
    sealed: true,
  };
  return new CheckedRun({ runId: 'this run', record: recordOf([started, ...events]) });
}

/** Parses orders in a table: `| date | action | quantity | symbol |`. A quantity may be `50% of equity`. */
export function plannedOrders(table: DataTable, market: Market): PlannedOrder[] {
  return table.hashes().map(({ date = '', action, quantity = '', symbol, reason }) => {
    const bar = market.clock.indexOf(instantOf(date));
    assert.ok(bar >= 0, `there is no bar of ${date}`);
    assert.ok(action === 'buy' || action === 'sell' || action === 'close', `"${action}" is no action`);
    const share = /^([\d.]+)% of equity$/.exec(quantity);
    return {
      bar,
      request: {
        action,
        ...(symbol === undefined ? {} : { symbol }),
        ...(reason === undefined ? {} : { reason }),
        ...(share === null ? {} : { equityFraction: Number(share[1]) / 100 }),
        ...(share !== null || quantity === '' ? {} : { quantity }),
      },
    };
  });
}

/** Returns a decider that places only these orders. */
export function deciderOf(orders: readonly PlannedOrder[]): Decider {
  return {
    decide: ({ bar }) => ({
      orders: orders.filter((order) => order.bar === bar).map(({ request }) => request),
    }),
  };
}
