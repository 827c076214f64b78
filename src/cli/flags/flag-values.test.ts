import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokerSettingsSchema, instrumentSchema } from '../../broker/index.ts';
import { decimal } from '../../kernel/index.ts';
import { instrumentTexts, lotText } from './flag-values.ts';

const lot = lotText({ min: 1e-12, max: 1e12 });

describe('the value of --lot', () => {
  it.each([
    ['0.00000001', 1e-8],
    ['1', 1],
    ['0.1', 0.1],
    ['0.123456789012345678', '0.123456789012345678'],
    [' 100000000000.000000000001 ', '100000000000.000000000001'],
  ])('%s is %s', (text, value) => {
    expect(lot.parse(text)).toBe(value);
    expect(instrumentTexts(instrumentSchema).parse([`A:lot=${text.trim()},tick=0.01`])).toEqual({
      A: { lot: value, tick: 0.01 },
    });
  });

  it.each(['', 'x', '-1', '0', '1e308', 'NaN', '0.0000000000000000001'])('%s is refused', (text) => {
    expect(lot.safeParse(text).success).toBe(false);
  });

  it('preserves every digit of a number or a string', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 24n), (digits) => {
        const text = `0.${digits.toString().padStart(24, '0')}`;
        if (Number(text) < 1e-12) return;
        const kept = lot.parse(text);
        expect(decimal(kept).equals(text)).toBe(true);
        expect(brokerSettingsSchema.shape.lot.safeParse(kept).success).toBe(true);
      }),
    );
  });
});
