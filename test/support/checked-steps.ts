import type { RunEvent } from '../../src/engine/index.ts';
import { recordOf } from '../../src/journal/index.ts';
import { CheckedRun, CheckFailed } from '../../src/testing/steps/checked-run.ts';
import { Desk } from '../../src/testing/steps/desk.ts';
import type { Step, Table } from '../../src/testing/steps/step.ts';

const event = (fields: object): RunEvent => fields as unknown as RunEvent;
export const FILL = {
  ...{ type: 'order_filled', bar: 1, orderId: 1, symbol: 'AAA', side: 'buy', quantity: '2', price: '10' },
  ...{ priceBeforeSlippage: '10', commission: '0.5', cash: '80' },
};
export const TRADE = {
  ...{ type: 'trade_closed', bar: 2, id: 1, symbol: 'AAA', side: 'long', quantity: '2', entryBar: 1 },
  ...{ entryTime: '2024-01-02', entryPrice: '10', exitTime: '2024-01-03', exitPrice: '12', grossPnl: '4' },
  ...{ commission: '1', netPnl: '3', exitReason: 'stop' },
};
export const OPEN = {
  ...{
    id: 2,
    symbol: 'AAA',
    side: 'short',
    quantity: '1',
    entryBar: 2,
    entryTime: '2024-01-03',
    entryPrice: '12',
  },
  ...{ lastPrice: '11', grossPnl: '1', commission: '0', netPnl: '1' },
};

interface Made {
  readonly equity?: readonly number[];
  readonly name?: string;
  readonly more?: readonly object[];
  readonly open?: readonly object[];
  readonly outcome?: string;
}

/** Returns a run with the given equity at each bar. `more`: events of the second bar. `open`: open trades. */
export function runOf({
  equity = [100, 110, 99],
  name = 'test',
  more = [],
  open = [],
  outcome = 'completed',
}: Made = {}) {
  const events = [
    {
      ...{ type: 'run_started', schema: 1, strategy: { name, kind: 'rules', parameters: {} }, data: null },
      ...{ settings: { cash: '100', seed: 0 }, symbols: ['AAA'], bars: equity.length, sealed: true },
    },
    ...equity.flatMap((value, bar) => [
      ...(bar === 1 ? more : []),
      { type: 'bar', bar, date: `2024-01-0${bar + 1}`, cash: `${value}`, equity: `${value}`, exposure: 0.5 },
    ]),
    { type: 'run_finished', outcome, bars: equity.length, openTrades: open, commissionPaid: '0.5' },
  ];
  return new CheckedRun({ runId: `id-${name}`, record: recordOf(events.map(event)) });
}
export const table = (...[columns = [], ...rows]: string[][]): Table => ({
  raw: () => [columns, ...rows],
  hashes: () => rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]!]))),
});

/** Runs the step that matches a line. Returns the message of its failure, or an empty text if it passes. */
export async function step(
  steps: readonly Step[],
  line: string,
  runs: readonly CheckedRun[],
  ...below: unknown[]
) {
  const desk = new Desk();
  for (const run of runs) desk.note(run);
  for (const { pattern, run } of steps) {
    const plain =
      typeof pattern === 'string'
        ? new RegExp(
            `^${pattern.replaceAll('{int}', '(\\d+)').replaceAll(/\{(word|string)\}/g, '"?([^"]+)"?')}$`,
          )
        : pattern;
    const found = plain.exec(line);
    if (found === null) continue;
    const values = found
      .slice(1)
      .map((value) => (typeof pattern === 'string' && /^\d+$/.test(value) ? Number(value) : value));
    try {
      await run(desk, ...([...values, ...below] as never[]));
      return '';
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error;
      return error.message;
    }
  }
  throw new Error(`no step matches "${line}"`);
}
