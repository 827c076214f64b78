import { describe, expect, it } from 'vitest';
import { readRunSettings } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { CANARY_VALUE, checkCanary, textMasker } from './leaks.ts';
import { createMask } from './mask.ts';

describe('a canary value', () => {
  it.each([
    CANARY_VALUE,
    CANARY_VALUE.toLocaleString('en-US'),
    CANARY_VALUE.toExponential(),
    '9.1827364509e+10',
  ])('is detected as %s', (text) => {
    expect(() => checkCanary(`{"close": ${text}}`)).toThrow(expect.objectContaining({ code: 'canary_seen' }));
  });

  it('is not confused with another number', () => {
    expect(() => checkCanary('{"close": 91827364.509, "volume": 9182736450}')).not.toThrow();
  });
});

describe('masked text', () => {
  const market = simulateMarket({ seed: 1, bars: 100, symbols: ['AAPL', 'BRK.B'], start: '2000-01-03' });
  const mask = createMask(['symbols', 'dates'], market, 1);
  const maskText = textMasker(mask);
  const nameOf = (real: string): string =>
    Object.keys(mask.symbols).find((name) => mask.symbols[name] === real) ?? '';

  it('has symbols and their columns renamed, and no similar words', () => {
    const [apple, berkshire] = [nameOf('AAPL'), nameOf('BRK.B')];
    expect(maskText('Trade AAPL and BRK.B (df_aapl, df_brk_b), not AAPLE or BRKXB.')).toBe(
      `Trade ${apple} and ${berkshire} (df_${apple.toLowerCase()}, df_${berkshire.toLowerCase()}), not AAPLE or BRKXB.`,
    );
  });

  it('has every date shifted, because an earlier date would reveal the period of the data', () => {
    const text = maskText('2000-01-03 1999-12-31 1999-02-30');
    expect(text).not.toMatch(/2000-01-03|1999-12-31/);
    expect(text).toContain('1999-02-30');
  });

  it('has currencies and their rates renamed', () => {
    const settings = readRunSettings({ currency: 'EUR', instruments: { AAPL: { currency: 'JPY' } } });
    const seen = textMasker(createMask(['symbols'], market, 1, settings))('EUR, JPY, EURJPY and JPYEUR');
    expect(seen).toBe('HOME, CURAA, HOMECURAA and CURAAHOME');
  });

  it('has a name from CURAA to CURBB for each of 28 currencies', () => {
    const symbols = Array.from({ length: 28 }, (_, at) => `T${at + 10}`);
    const instruments = Object.fromEntries(
      symbols.map((symbol, at) => [
        symbol,
        { currency: `C${String.fromCharCode(65 + (at % 26))}${at < 26 ? 'X' : 'Y'}` },
      ]),
    );
    const many = simulateMarket({ seed: 1, bars: 5, symbols });
    const { currencies } = createMask(['symbols'], many, 1, readRunSettings({ instruments }));
    const first = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `CURA${letter}`);
    expect(Object.keys(currencies!)).toEqual([...first, 'CURBA', 'CURBB']);
  });
});
