import { describe, expect, it } from 'vitest';
import { simulateMarket } from '../market/index.ts';
import { readRunSettings } from './settings/settings.ts';
import { openDoorsOf, platformDoors, startOf, warningsOf } from './start.ts';

const costs = { commission: () => 1, slippage: () => 0 };

describe('the warnings of a run', () => {
  it('are absent by default', () => {
    expect(warningsOf(readRunSettings({}))).toEqual([]);
    expect(warningsOf(readRunSettings({ allowNegativeEquity: false, resolve: 'worst' }), {})).toEqual([]);
  });

  it('are listed in the order of fills, ambiguous bars, negative equity and custom models', () => {
    const settings = readRunSettings({ fillOn: 'close', resolve: 'best', allowNegativeEquity: true });
    expect(warningsOf(settings, costs)).toEqual([
      'same-bar fills',
      'better answers booked',
      'negative equity allowed',
      'custom commission model',
      'custom slippage model',
    ]);
    expect(warningsOf(readRunSettings({ fillOn: 'close' }))).toEqual(['same-bar fills']);
    expect(warningsOf(readRunSettings({ resolve: 'best' }), { slippage: () => 0 })).toEqual([
      'better answers booked',
      'custom slippage model',
    ]);
  });
});

describe('the first event of a run that code started', () => {
  const market = simulateMarket({ seed: 1, bars: 7, symbols: ['A', 'B'] });
  const settings = readRunSettings({});
  const decide = (): void => undefined;

  it('describes the decider and the market, and lists the strategy code as an open door', () => {
    expect(startOf(market, { decide }, settings, undefined)).toEqual({
      type: 'run_started',
      schema: 1,
      strategy: { name: 'decider', kind: 'rules', parameters: {} },
      settings,
      symbols: ['A', 'B'],
      bars: 7,
      data: [],
      sealed: false,
      openDoors: ['strategy code runs with your rights'],
    });
  });

  it('contains the strategy of the decider, the warnings and the open door of a cost model', () => {
    const strategy = { name: 'mine', parameters: { length: 3 } };
    expect(startOf(market, { decide, strategy }, settings, costs)).toMatchObject({
      strategy: { name: 'mine', kind: 'rules', parameters: { length: 3 } },
      stamps: ['custom commission model', 'custom slippage model'],
      openDoors: ['strategy code runs with your rights', 'custom cost model'],
    });
  });
});

describe('the open doors of a run', () => {
  it('are derived from other fields of an older journal that does not list them', () => {
    const started = {
      sealed: false,
      strategy: { kind: 'rules' },
      files: {},
      stamps: ['custom slippage model'],
    };
    expect(openDoorsOf(started)).toEqual([
      'strategy code runs with your rights',
      'custom cost model',
      'undated files',
      'scripts',
    ]);
    expect(openDoorsOf({ strategy: null })).toEqual([]);
    expect(openDoorsOf({ strategy: {}, stamps: ['same-bar fills'] })).toEqual([]);
  });

  it('include open descriptors of the sandbox or of the strategy', () => {
    const door = ['no descriptor limit on this platform'];
    expect(platformDoors({ strategyDescriptors: 'open' })).toEqual(door);
    expect(platformDoors({ strategyDescriptors: 'open', sandboxDescriptors: 'closed' })).toEqual(door);
    expect(platformDoors({ strategyDescriptors: 'closed', sandboxDescriptors: 'open' })).toEqual(door);
  });
});
