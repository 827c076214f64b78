/** Events of a run of three bars of the symbol A, with the fields that the readers of a journal use. */
import type { RunEvent } from '../../src/engine/index.ts';

export const as = (event: object): RunEvent => event as unknown as RunEvent;
export const line = (event: object): string => JSON.stringify(event);
export const STARTED = {
  ...{
    type: 'run_started',
    schema: 1,
    strategy: { name: 's', kind: 'rules', parameters: {} },
    settings: { cash: '5' },
  },
  ...{ symbols: ['A'], bars: 3, data: null, sealed: true },
};
export const bar = (number: number) => ({
  ...{ type: 'bar', bar: number, date: `2020-01-0${number + 1}`, cash: '5', equity: '5', exposure: null },
  prices: [[1, 1, 1, 1, 1]],
});
export const note = (number: number, text = 'x') => ({ type: 'note', bar: number, text });
export const finished = (outcome: string, more: object = {}) => ({
  ...{ type: 'run_finished', outcome, bars: 1, openTrades: [], commissionPaid: '3', ...more },
});
