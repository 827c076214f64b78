import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../kernel/index.ts';
import { barSeries, createMarket } from '../../market/index.ts';
import { World } from '../world/world.ts';
import { type RunSettingsInput, readRunSettings } from './settings.ts';
import {
  checkOptionNames,
  checkSettingsFit,
  firstAskedBar,
  firstBarFrom,
  withWarmUp,
} from './settings-fit.ts';

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
  it('that are not in the data are all reported with the closest known name', () => {
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

  it('cannot give instrument terms to a series that only provides exchange rates', () => {
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

describe('an unknown name', () => {
  it('is reported with the first twenty names of the data, and the number of the others', () => {
    const names = Array.from({ length: 22 }, (_, index) => `SYM${index + 10}`);
    const messageOf = (count: number): string => {
      const many = createMarket(names.slice(0, count).map((symbol) => barSeries(symbol, bars)));
      try {
        checkSettingsFit(
          { market: many, rates: [] },
          readRunSettings({ instruments: { QQQQQQQ: { lot: 1 } } }),
        );
      } catch (error) {
        return String(error);
      }
      return '';
    };
    expect(messageOf(20)).toContain(`(available: ${names.slice(0, 20).join(', ')})`);
    expect(messageOf(22)).toContain(`(available: ${names.slice(0, 20).join(', ')} and 2 more)`);
  });

  it('of a currency is reported with the first symbol in that currency', () => {
    expect(faultsOf({ currency: 'EUR', instruments: { ACME: { currency: 'GBP' } } })).toContain(
      'currencies.GBP: ACME is in GBP, the account is in EUR: unknown series GBPEUR',
    );
    expect(faultsOf({ instruments: { ACME: { currency: 'EUR' } } })).toBe('none');
    expect(faultsOf({ instruments: { ACME: { currency: 'USD' } } })).toBe('none');
  });

  it('of an option is reported with all options if no option is similar', () => {
    expect(() => checkOptionNames({ market: 1, zzzzzzzz: 1 })).toThrow(
      'zzzzzzzz: unknown option (available: market, decider, settings,',
    );
    expect(() => checkOptionNames(null)).toThrow('runBacktest was called without options.');
    expect(() => checkOptionNames('x')).toThrow('runBacktest was called without options.');
    expect(() => checkOptionNames({ market: 1, decider: 2, lightBars: true })).not.toThrow();
  });
});

describe('hours of an instrument', () => {
  it('require bars shorter than a day', () => {
    const hours = { instruments: { ACME: { hours: '09:30-16:00' } } };
    expect(faultsOf(hours)).toContain('instruments.ACME.hours: hours require bars shorter than a day');
    const short = createMarket([
      barSeries(
        'ACME',
        [0, 1, 2].map((hour) => ({ ...bars[0]!, time: hour * (DAY / 24) })),
      ),
    ]);
    expect(() => checkSettingsFit({ market: short, rates: [] }, readRunSettings(hours))).not.toThrow();
  });
});

describe('the first evaluated bar', () => {
  it('is at or after the date with start timestamps, and after it with end timestamps', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 12 }),
        fc.integer({ min: -1, max: 31 }),
        (given, from) => {
          const times = given.sort((a, b) => a - b);
          const found = (isReached: (time: number) => boolean): number => {
            const index = times.findIndex(isReached);
            return index < 0 ? times.length : index;
          };
          expect(firstBarFrom(times, from)).toBe(found((time) => time >= from));
          expect(firstBarFrom(times, from, 'start')).toBe(found((time) => time >= from));
          expect(firstBarFrom(times, from, 'end')).toBe(found((time) => time > from));
        },
      ),
    );
  });

  const days = Array.from({ length: 6 }, (_, day) => ({ ...bars[0]!, time: day * DAY }));
  const six = createMarket([barSeries('A', days)]);
  const terms = { barTimes: 'start', fillOn: 'open', evaluateFrom: undefined } as const;

  it('is the bar at which the first decision after the warm-up can fill', () => {
    const fromOf = (warmUp: number | 'first-decision' | undefined, more: object = {}): string | undefined =>
      withWarmUp({ ...terms, ...more }, warmUp, six).evaluateFrom;
    expect([undefined, 0, 1, 2, 2.5, 5, 6].map((warmUp) => fromOf(warmUp))).toEqual([
      undefined,
      undefined,
      undefined,
      '1970-01-03',
      '1970-01-04',
      '1970-01-06',
      undefined,
    ]);
    expect(fromOf(1.5)).toBe('1970-01-03');
    expect(fromOf('first-decision')).toBe('first-decision');
    expect(fromOf(2, { fillOn: 'close' })).toBe('1970-01-02');
    expect(fromOf(2, { barTimes: 'end' })).toBe('1970-01-02');
    expect(fromOf(3, { barTimes: 'end', fillOn: 'close' })).toBe('1970-01-02');
    expect(fromOf(3, { evaluateFrom: '1970-01-05' })).toBe('1970-01-05');
  });

  it('is decided at the previous close, or at its own close if orders fill at closes', () => {
    const askedAt = (evaluateFrom: string | undefined, more: object = {}, growing?: true): number =>
      firstAskedBar(growing ? { ...six, growing } : six, { ...terms, evaluateFrom, ...more });
    expect(askedAt(undefined)).toBe(0);
    expect(askedAt('first-decision')).toBe(0);
    expect(askedAt('1970-01-02')).toBe(0);
    expect(askedAt('1970-01-06')).toBe(4);
    expect(askedAt('1970-01-06', { fillOn: 'close' })).toBe(5);
    expect(askedAt('1970-01-05', { barTimes: 'end' })).toBe(4);
    expect(() => askedAt('1970-01-01')).toThrow(
      'the data begin at 1970-01-01. A decision needs a bar before',
    );
    expect(() => askedAt('1970-01-07')).toThrow('the data end at 1970-01-06. No bar is left to evaluate');
    expect(askedAt('1970-01-07', {}, true)).toBe(5);
  });
});
