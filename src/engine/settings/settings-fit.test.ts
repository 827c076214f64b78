import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import { World } from '../world/world.ts';
import { type RunSettingsInput, readRunSettings } from './settings.ts';

const bars = [0, 1].map((day) => ({
  time: day * DAY,
  open: 100,
  high: 101,
  low: 99,
  close: 100,
  volume: 1,
}));
const market = createMarket([barSeries('ACME', bars), barSeries('EURUSD', bars)]);

function faultsOf(settings: RunSettingsInput): string {
  try {
    new World(market, readRunSettings(settings));
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('names in settings', () => {
  it('that are not in the data are all reported, with the closest name', () => {
    const seen = faultsOf({
      instruments: { ACNE: { lot: 5 }, ZINC: { currency: 'GBP' } },
      currencies: { GBP: { rate: 'EURUS' }, USD: { rate: 2 } },
    });
    expect(seen).toBe(
      [
        'The settings do not fit the data: 4 faults',
        '  instruments.ACNE: unknown symbol ACNE (did you mean ACME?)',
        '  instruments.ZINC: unknown symbol ZINC (available: ACME, EURUSD)',
        '  currencies.GBP.rate: unknown series EURUS (did you mean EURUSD?)',
        '  currencies.USD: USD is the currency of the account (remove it)',
      ].join('\n'),
    );
  });

  it('of a series that only provides rates cannot have instrument terms', () => {
    expect(
      faultsOf({ instruments: { EURUSD: { lot: 5 } }, currencies: { EUR: { rate: 'EURUSD' } } }),
    ).toContain('instruments.EURUSD: this symbol only provides exchange rates and is not traded');
    expect(
      faultsOf({
        instruments: { EURUSD: { lot: 5 } },
        currencies: { EUR: { rate: 'EURUSD', tradable: true } },
      }),
    ).toBe('none');
  });
});
