import { describe, expect, it } from 'vitest';
import { mergeSettings } from './settings.ts';

describe('merged settings', () => {
  it('retain the financing, limits and instruments that the upper layer does not contain', () => {
    const file = {
      financing: { creditRate: 0.01, borrowRate: 0.03 },
      risk: { maxPosition: 0.2, noShort: true },
      instruments: { SAP: { currency: 'EUR', lot: 5 }, ACME: { tick: 0.5 } },
    };
    const flags = {
      financing: { creditRate: 0.02 },
      risk: { maxPosition: 0.5 },
      instruments: { SAP: { lot: 1 } },
    };
    expect(mergeSettings(file, flags)).toMatchObject({
      financing: { creditRate: 0.02, borrowRate: 0.03 },
      risk: { maxPosition: 0.5, noShort: true },
      instruments: { SAP: { currency: 'EUR', lot: 1 }, ACME: { tick: 0.5 } },
    });
  });

  it('replace the whole rate of a currency, and retain the other currencies', () => {
    const below = { currencies: { EUR: { rate: 'USDEUR', inverse: true }, JPY: { rate: 0.0093 } } };
    expect(mergeSettings(below, { currencies: { EUR: { rate: 1.1 } } }).currencies).toEqual({
      EUR: { rate: 1.1 },
      JPY: { rate: 0.0093 },
    });
  });

  it('replace a cost model by a rate of the upper layer', () => {
    const merged = mergeSettings({ commission: { model: 'fixed', amount: 1 } }, { commissionRate: 0.001 });
    expect(merged).toMatchObject({ commissionRate: 0.001 });
    expect(merged.commission).toBeUndefined();
  });
});
