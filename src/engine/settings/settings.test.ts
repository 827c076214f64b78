import { describe, expect, it } from 'vitest';
import { mergeSettings, readRunSettings, runSettingsFaults } from './settings.ts';

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

describe('faults of settings', () => {
  const fixed = { model: 'fixed', amount: 1 };
  const models = 'available: rate, fixed, per-share, tiered, maker-taker';
  it.each<[unknown, string, string, string | undefined]>([
    [{ comission: fixed }, 'comission', 'unknown setting', 'did you mean commission?'],
    [
      { financing: { xyz: 0 } },
      'financing.xyz',
      'unknown setting',
      'available: creditRate, debitRate, borrowRate',
    ],
    [
      { currencies: { EUR: { rates: 1, rate: 1 } } },
      'currencies.EUR.rates',
      'unknown setting',
      'did you mean rate?',
    ],
    [{ instruments: { A: { lots: 1 } } }, 'instruments.A.lots', 'unknown setting', 'did you mean lot?'],
    [{ commission: { ...fixed, amuont: 1 } }, 'commission.amuont', 'unknown setting', 'did you mean amount?'],
    [{ commission: { amount: 1 } }, 'commission.model', 'is missing', models],
    [{ commission: { model: 'none' } }, 'commission.model', '"none" is not a model', models],
    [
      { slippage: { model: 1 } },
      'slippage.model',
      '1 is not a model',
      'available: bps, fixed, spread, volume-impact',
    ],
    [
      { commissionRate: 0.1, commission: fixed },
      'commissionRate',
      'commission sets the same value. Use one of them',
      undefined,
    ],
    [
      { slippageBps: 1, slippage: { model: 'bps', bps: 1 } },
      'slippageBps',
      'slippage sets the same value. Use one of them',
      undefined,
    ],
    ['fast', 'settings', '"fast" is not an object', undefined],
  ])('state the place and a remedy: %j', (given, where, message, hint) => {
    expect(runSettingsFaults(given)).toEqual([
      { where, message, ...(hint !== undefined && { hint: expect.stringContaining(hint) }) },
    ]);
  });

  it('do not include a rate of 0 next to a model, nor a rate without a model', () => {
    expect(runSettingsFaults({ commissionRate: 0, commission: fixed, slippageBps: 3 })).toEqual([]);
  });

  it.each<[string, readonly unknown[], readonly unknown[]]>([
    ['cash', [1, ' 2500.50 ', '0.01'], [0, '0.0', -1, '1e5', '.5', '5.', 'x']],
    ['seed', [0, 2 ** 32 - 1], [-1, 2 ** 32, 0.5]],
    ['lookback', [null, 1], [0, 1.5]],
    ['decisionTimeout', [0.1, 86_400], [0, 86_401]],
    ['evaluateFrom', ['2020-01-15', '2020-01-15T09:30'], ['2020-02-30', 'soon']],
  ])('include values beyond the limits: %s', (name, valid, invalid) => {
    for (const value of valid) expect(runSettingsFaults({ [name]: value }), String(value)).toEqual([]);
    for (const value of invalid)
      expect(runSettingsFaults({ [name]: value }), String(value)).toMatchObject([{ where: name }]);
  });
});

describe('settings of a run', () => {
  it('have documented defaults', () => {
    expect(readRunSettings({ leverage: 4 })).toMatchObject({
      cash: '100000',
      barTimes: 'start',
      seed: 0,
      lookback: null,
      maintenanceMargin: 0.125,
    });
  });

  it('are read again after code has changed them', () => {
    const read = readRunSettings({ cash: ' 5 ' });
    expect(readRunSettings(read)).toBe(read);
    expect(read.cash).toBe('5');
    Object.assign(read, { seed: -1 });
    expect(() => readRunSettings(read, 'Mine')).toThrow(/Mine.*seed/s);
  });
});
