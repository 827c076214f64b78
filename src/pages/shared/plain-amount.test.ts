import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal, decimalString } from '../../kernel/index.ts';
import { fixedText, placesOfText } from './number-formats.ts';

const amount = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
    fc.nat({ max: 20 }),
    fc.constantFrom('', '5', '50', '500001', '999'),
  )
  .map(([digits, places, end]) => decimalString(decimal(`${digits}${end}e-${places}`)));

it('rounds texts like decimals', () => {
  fc.assert(
    fc.property(amount, fc.nat({ max: 9 }), (value, places) => {
      expect(fixedText(value, places)).toBe(decimal(value).toFixed(places));
      expect(placesOfText(value, places)).toBe(decimal(value).toDecimalPlaces(places).decimalPlaces());
    }),
    { numRuns: 2000 },
  );
  expect(['0.5', '1.5', '2.5', '-0.5', '9.995', '99.5'].map((value) => fixedText(value, 0))).toEqual(
    ['0.5', '1.5', '2.5', '-0.5', '9.995', '99.5'].map((value) => decimal(value).toFixed(0)),
  );
});
