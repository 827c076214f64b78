import { describe, expect, it } from 'vitest';
import { shortAmount, shortNumbers } from './folding.ts';

describe('numbers of a trace', () => {
  it.each([
    ['88750.001013551398', '88,750.00'],
    ['Fill: buy 1.12682926829 SPX at 88750.001013551398', 'Fill: buy 1.1268 SPX at 88,750.00'],
    ['filled 3 at -1234.5 on bar 12345', 'filled 3 at -1,234.5 on bar 12345'],
    ['0.123456789', '0.123457'],
    ['0.00000004', '0.00000004'],
    ['999.99999', '1,000.00'],
    ['919.859985', '919.86'],
    ['net 17.5%, cost 0.0002 USD', 'net 17.5%, cost 0.0002 USD'],
  ])('%s is %s', (text, short) => {
    expect(shortNumbers(text)).toBe(short);
  });

  it.each(['gpt-4.1', 'version 1.12345.6', '2024-01-02T10:00:00.123456Z', 'v2.123456', 'a/1.234567'])(
    '%s does not change',
    (text) => {
      expect(shortNumbers(text)).toBe(text);
    },
  );

  it('groups amounts without a fraction', () => {
    expect(shortAmount('-100000')).toBe('-100,000');
    expect(shortAmount('a note')).toBe('a note');
  });
});
