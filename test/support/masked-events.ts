import { MASK_VERSION } from '../../src/engine/index.ts';
import { writeSteps } from '../../src/masking/time-map.ts';
import { unmasker } from '../../src/masking/unmask.ts';

const HOUR = 3_600_000;
export const at = (text: string): number => Date.parse(`${text}Z`);
const REAL = [0, 1, 2].map((hour) => at('2020-01-06T10:00:00') + hour * HOUR);
const SHOWN = [0, 1, 2].map((hour) => at('2100-02-01T09:00:00') + hour * HOUR);
/** Mask that shows BBB as M and AAA as N. One unit of M represents 2 × 4 = 8 real units. */
export const MASK = {
  ...{
    version: MASK_VERSION,
    kinds: ['symbols', 'dates', 'prices'],
    secret: 1,
    symbols: { M: 'BBB', N: 'AAA' },
  },
  scales: {
    M: { price: '2', volume: '0.5', turnover: '1' },
    N: { price: '10', volume: '4', turnover: '40' },
  },
  calendar: { real: writeSteps(REAL), shown: writeSteps(SHOWN), interval: '1h', barTimes: 'start' },
  currencies: { CUR1: { real: 'EUR', rateFactor: '4', symbols: ['M'] } },
  settings: { cash: '7', own: true },
};
export const START = {
  type: 'run_started',
  mask: MASK,
  symbols: ['M', 'N'],
  settings: { cash: '1', more: 1 },
};
/** Returns the event that an event of the masked run represents. */
export const real = (event: object, start: object = START): Record<string, unknown> =>
  unmasker(start)(event) as Record<string, unknown>;
