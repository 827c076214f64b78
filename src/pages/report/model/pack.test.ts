import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packed, unpacked } from './pack.ts';

const number = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => Number(value.toPrecision(9)) + 0),
);
const row = fc.record({ id: fc.integer(), text: fc.string(), price: number, list: fc.array(number) });

it('returns what was packed', () => {
  const value = fc.record({
    numbers: fc.array(number),
    rows: fc.array(row),
    words: fc.array(fc.string()),
    mixed: fc.array(fc.oneof(fc.string(), number, row)),
    none: fc.constant(null),
    yes: fc.boolean(),
  });
  fc.assert(
    fc.property(value, (one) => {
      expect(unpacked(JSON.parse(JSON.stringify(packed(one))))).toEqual(one);
    }),
    { numRuns: 500 },
  );
});

it('converts rows to columns and numbers to differences', () => {
  const rows = [
    { price: 1.07213, side: 'buy' },
    { price: 1.07214, side: 'sell' },
    { price: 1.07212, side: 'buy' },
  ];
  expect(JSON.stringify(packed(rows))).toBe(
    '{"k":{"price":{"n":[107213,1,-2],"t":5},"side":{"w":["buy","sell"],"r":[0,1,0]}}}',
  );
});
