import { describe, expect, it } from 'vitest';
import { isJsonObject, mergeSettings, parseJson, readRunSettings, runSettingsFaults } from './settings.ts';

const nothing = { risk: {}, financing: {}, instruments: {}, currencies: {} };

describe('merged settings', () => {
  it('take each setting from the last layer that defines it', () => {
    expect(mergeSettings()).toEqual({});
    expect(mergeSettings({ cash: 1, seed: 2 }, { seed: undefined, lookback: 3 }, { cash: 5 })).toEqual({
      ...nothing,
      cash: 5,
      seed: 2,
      lookback: 3,
    });
  });

  it('replace a cost rate by a cost model, and a cost model by a cost rate', () => {
    const fixed = { model: 'fixed', amount: 1 } as const;
    expect(mergeSettings({ commissionRate: 0.1, slippageBps: 3 }, { commission: fixed })).toEqual({
      ...nothing,
      commission: fixed,
      slippageBps: 3,
    });
    expect(mergeSettings({ slippage: fixed, commissionRate: 0.1 }, { slippageBps: 2 })).toEqual({
      ...nothing,
      slippageBps: 2,
      commissionRate: 0.1,
    });
    expect(mergeSettings({ slippageBps: 3 }, { slippage: undefined })).toEqual({
      ...nothing,
      slippageBps: 3,
    });
  });
});

describe('settings', () => {
  it('derive the maintenance margin from the leverage, and store amounts as texts', () => {
    expect(readRunSettings({ cash: 2_500.5, leverage: 2 })).toMatchObject({
      cash: '2500.5',
      maintenanceMargin: 0.25,
    });
    expect(readRunSettings({ leverage: 2, maintenanceMargin: 0 }).maintenanceMargin).toBe(0);
  });

  it('with an unknown field of a cost model report the fields of this model', () => {
    const faults = (commission: object) => runSettingsFaults({ commission });
    expect(faults({ model: 'fixed', amount: 1, zzzzzz: 2 })).toEqual([
      { where: 'commission.zzzzzz', message: 'unknown setting', hint: 'available: model, amount' },
    ]);
    expect(faults({ model: 'maker-taker', maker: 0, taker: 0, zzzzzz: 2 })[0]?.hint).toBe(
      'available: model, maker, taker',
    );
    expect(runSettingsFaults({ instruments: { A: { commission: { model: 'x' } } } })[0]).toMatchObject({
      where: 'instruments.A.commission.model',
      message: '"x" is not a model',
    });
    expect(runSettingsFaults({ zzzzzz: 1, yyyyyyyyy: 2 }).map(({ where }) => where)).toEqual([
      'zzzzzz',
      'yyyyyyyyy',
    ]);
  });

  it('must be JSON objects', () => {
    expect([isJsonObject({}), isJsonObject(parseJson('{"a":1}'))]).toEqual([true, true]);
    expect([isJsonObject([]), isJsonObject(null), isJsonObject(undefined), isJsonObject('x')]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
