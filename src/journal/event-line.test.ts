import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BarEvent } from '../engine/index.ts';
import { eventLine } from './event.ts';

it('the line of a bar equals the JSON of its event, for all numbers', () => {
  const values = fc.tuple(fc.double(), fc.double(), fc.double(), fc.double(), fc.double());
  const amount = fc.bigInt().map(String);
  const bar = fc.record<BarEvent>(
    {
      type: fc.constant('bar'),
      bar: fc.nat(),
      date: fc.constantFrom('2020-03-09', '2020-03-09T14:30:00'),
      cash: amount,
      equity: amount,
      exposure: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      ambiguity: fc.record({ worse: amount, better: amount }),
      prices: fc.array(fc.option(values), { maxLength: 3 }),
    },
    { requiredKeys: ['type', 'bar', 'date', 'cash', 'equity', 'exposure'] },
  );
  fc.assert(
    fc.property(bar, (event) => {
      expect(eventLine(event)).toBe(JSON.stringify(event));
    }),
    { numRuns: 1000 },
  );
});
