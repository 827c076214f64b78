import { describe, expect, it } from 'vitest';
import { EXACT_ZERO, Exact } from '../../kernel/index.ts';
import { type Instrument, instrumentsOf } from '../settings/instruments.ts';
import { type BrokerSettings, brokerSettingsSchema } from '../settings/settings.ts';
import { commissionModel, commissionOf, type FeesSoFar, loadOf, slippageModel } from './cost-models.ts';
import type { CommissionSettings } from './cost-schema.ts';
import { Costs } from './costs.ts';
import { customModelNames, customModels } from './custom-costs.ts';

const exact = (value: number | string): Exact => Exact.of(value);
type Given = Parameters<typeof brokerSettingsSchema.parse>[0];
const settingsOf = (given: Given = {}): BrokerSettings => brokerSettingsSchema.parse(given);
const contract = instrumentsOf(['A'], settingsOf({ instruments: { A: { multiplier: 10 } } }))[0]!;
const share = instrumentsOf(['A'], settingsOf())[0]!;

const fees = (quantity: number, notional: number, charged: number, tradedBefore = 0): FeesSoFar => ({
  quantity: exact(quantity),
  notional: exact(notional),
  charged: exact(charged),
  tradedBefore,
});
const fresh = fees(0, 0, 0);

/** Returns the commission of 4 units at 50 of a contract worth 10 per point: a notional of 2,000. */
const charged = (settings: CommissionSettings, before = fresh, maker = false): string =>
  commissionOf(settings)
    .commission({
      instrument: contract,
      quantity: exact(4),
      price: exact(50),
      maker,
      tradedBefore: 0,
      before,
      order: undefined,
    })
    .toString();

describe('a commission', () => {
  it('by rate is a fraction of the notional', () => {
    expect(charged({ model: 'rate', rate: 0.002 })).toBe('4');
    expect(charged({ model: 'rate', rate: 0.002 }, fees(8, 4_000, 8))).toBe('4');
    expect(charged({ model: 'rate', rate: 0 })).toBe('0');
    expect(commissionOf({ model: 'rate', rate: 0.002 }).takerRate(fresh)!.toString()).toBe('0.002');
  });

  it('that is fixed is charged once per order', () => {
    expect(charged({ model: 'fixed', amount: 7 })).toBe('7');
    expect(charged({ model: 'fixed', amount: 7 }, fees(1, 500, 5))).toBe('2');
    expect(commissionOf({ model: 'fixed', amount: 7 }).takerRate(fresh)).toBeUndefined();
  });

  it('per share counts all units of the order, between the minimum and the maximum', () => {
    const perShare = (more: object) => ({ model: 'per-share', perShare: 0.5, minimum: 0, ...more }) as const;
    expect(charged(perShare({}))).toBe('2');
    expect(charged(perShare({}), fees(6, 3_000, 3))).toBe('2');
    expect(charged(perShare({ minimum: 3 }))).toBe('3');
    expect(charged(perShare({ minimum: 3 }), fees(1, 500, 3))).toBe('0');
    // At most 0.05 % of 2,000 is 1, and of 2,000 + 3,000 is 2.5.
    expect(charged(perShare({ maximumRate: 0.0005 }))).toBe('1');
    expect(charged(perShare({ maximumRate: 0.0005 }), fees(6, 3_000, 1.5))).toBe('1');
    expect(charged(perShare({ maximumRate: 1 }))).toBe('2');
    expect(commissionOf(perShare({})).takerRate(fresh)).toBeUndefined();
  });

  it('by tiers uses the tier that the run has reached before the order', () => {
    const tiered: CommissionSettings = {
      model: 'tiered',
      tiers: [
        { from: 0, rate: 0.01 },
        { from: 1_000, rate: 0.001 },
        { from: 5_000, rate: 0 },
      ],
    };
    const at = (traded: number): string[] => [
      charged(tiered, fees(0, 0, 0, traded)),
      commissionOf(tiered)
        .takerRate(fees(0, 0, 0, traded))!
        .toString(),
    ];
    expect(at(0)).toEqual(['20', '0.01']);
    expect(at(999.99)).toEqual(['20', '0.01']);
    expect(at(1_000)).toEqual(['2', '0.001']);
    expect(at(5_000)).toEqual(['0', '0']);
    expect(at(-1)).toEqual(['20', '0.01']);
  });

  it('has a separate rate for makers and for takers', () => {
    const settings: CommissionSettings = { model: 'maker-taker', maker: 0.001, taker: 0.003 };
    expect(charged(settings, fresh, true)).toBe('2');
    expect(charged(settings, fresh, false)).toBe('6');
    expect(commissionOf(settings).takerRate(fresh)!.toString()).toBe('0.003');
  });

  it('follows the model of the settings, or the plain rate if no model is set', () => {
    expect(
      commissionModel(settingsOf({ commissionRate: 0.01 }))
        .takerRate(fresh)!
        .toString(),
    ).toBe('0.01');
    const fixed = settingsOf({ commission: { model: 'fixed', amount: 2 } });
    expect(commissionModel(fixed).takerRate(fresh)).toBeUndefined();
  });

  it('raises the buying power that a purchase needs by the rate times the leverage', () => {
    expect(loadOf(exact('0.01'), exact(5)).toString()).toBe('1.05');
    expect(loadOf(EXACT_ZERO, exact(5)).toString()).toBe('1');
  });
});

describe('the costs of a run', () => {
  const noOrder = { id: 1, type: 'market', reason: undefined, fees: undefined };

  it('use the commission model in code, else that of the instrument, else that of the run', () => {
    const settings = settingsOf({
      commissionRate: 0.01,
      instruments: { A: { commission: { model: 'fixed', amount: 3 } } },
    });
    const [a, b] = instrumentsOf(['A', 'B'], settings) as [Instrument, Instrument];
    const of = (costs: Costs, instrument: Instrument): string =>
      costs.commission(exact(10), exact(20), instrument).toString();
    const costs = new Costs(settings);
    expect([of(costs, a), of(costs, b)]).toEqual(['3', '2']);
    const custom = new Costs(settings, customModels({ commission: () => 9 }));
    expect([of(custom, a), of(custom, b)]).toEqual(['9', '9']);
  });

  it('add up the fills and fees of each order, and the traded value of the run', () => {
    const costs = new Costs(settingsOf());
    costs.noteTraded(300);
    costs.noteTraded(200);
    expect(costs.traded).toBe(500);
    const first = costs.feesAfter(noOrder, exact(2), exact(30), contract, exact(5));
    costs.noteTraded(600);
    const second = costs.feesAfter({ ...noOrder, fees: first }, exact(3), exact(40), contract, exact(1));
    const shown = ({ quantity, notional, charged: paid, tradedBefore }: FeesSoFar) => [
      ...[quantity, notional, paid].map(Number),
      tradedBefore,
    ];
    expect(shown(first)).toEqual([2, 600, 5, 500]);
    expect(shown(second)).toEqual([5, 1_800, 6, 500]);
    costs.traded = 7;
    expect(costs.traded).toBe(7);
  });
});

describe('slippage', () => {
  const distance = (given: Given, more: object = {}): string =>
    slippageModel(settingsOf(given))
      .distance({
        symbol: 'A',
        buys: true,
        price: exact(50),
        quantity: exact(30),
        volume: 400,
        spread: 0.5,
        ...more,
      })
      .toString();

  it('is a price difference computed by the formula of its model', () => {
    expect(distance({ slippageBps: 20 })).toBe('0.1');
    expect(distance({ slippage: { model: 'bps', bps: 10 } })).toBe('0.05');
    expect(distance({ slippage: { model: 'fixed', amount: 0.3 } })).toBe('0.3');
    expect(distance({ slippage: { model: 'spread', bps: 20 } })).toBe('0.05');
    expect(distance({ slippage: { model: 'spread', column: 's' } })).toBe('0.25');
    // 50 × 0.2 × 30 / 400
    expect(distance({ slippage: { model: 'volume-impact', coefficient: 0.2 } })).toBe('0.75');
    expect(distance({ slippage: { model: 'volume-impact', coefficient: 1 } }, { volume: 7 })).toBe(
      '214.2857142857',
    );
  });

  it('is not computed if the settings make it always zero', () => {
    const slips = (given: Given): boolean => slippageModel(settingsOf(given)).slips;
    expect(slips({})).toBe(false);
    expect(slips({ slippageBps: 1 })).toBe(true);
    expect(slips({ slippage: { model: 'fixed', amount: 0 } })).toBe(false);
    expect(slips({ slippage: { model: 'fixed', amount: 1 } })).toBe(true);
    expect(slips({ slippage: { model: 'volume-impact', coefficient: 0 } })).toBe(false);
    expect(slips({ slippage: { model: 'volume-impact', coefficient: 0.5 } })).toBe(true);
    expect(slips({ slippage: { model: 'spread', bps: 0 } })).toBe(false);
    expect(slips({ slippage: { model: 'spread', column: 's' } })).toBe(true);
  });

  it('is scaled like the prices and the traded value that a mask multiplies', () => {
    const instruments = { A: { scale: { price: 3, turnover: 0.5 } } };
    expect(distance({ slippage: { model: 'fixed', amount: 0.1 }, instruments })).toBe('0.3');
    expect(distance({ slippage: { model: 'fixed', amount: 0.1 }, instruments }, { symbol: 'B' })).toBe('0.1');
    expect(distance({ slippage: { model: 'volume-impact', coefficient: 0.2 }, instruments })).toBe('0.375');
    expect(distance({ slippageBps: 20, instruments })).toBe('0.1');
  });

  it('stays inside the bar, and rounds to a tick against the trader', () => {
    const costs = new Costs(settingsOf({ slippage: { model: 'fixed', amount: 1 } }));
    const range = { low: 49.3, high: 50.8, volume: 1, spread: 0 };
    const ticked = { ...share, tick: exact('0.25') };
    const slipped = (buys: boolean, instrument: Instrument, more: object = {}): string =>
      costs.slip(exact(50), buys, exact(1), { ...range, ...more }, instrument).toString();
    expect([slipped(true, share), slipped(false, share)]).toEqual(['50.8', '49.3']);
    expect([slipped(true, share, { high: 60 }), slipped(false, share, { low: 40 })]).toEqual(['51', '49']);
    expect([slipped(true, ticked), slipped(false, ticked)]).toEqual(['50.75', '49.5']);
    expect(costs.leavesPrices(share)).toBe(false);
    const free = new Costs(settingsOf());
    expect([free.leavesPrices(share), free.leavesPrices(ticked)]).toEqual([true, false]);
    expect(free.slip(exact('50.1'), true, exact(1), range, ticked).toString()).toBe('50.25');
    expect(free.slip(exact('50.1'), true, exact(1), range, share).toString()).toBe('50.1');
  });
});

describe('custom cost models', () => {
  it('receive the values of the fill as plain numbers', () => {
    const seen: unknown[] = [];
    const { commission, slippage } = customModels({
      commission: (fill) => (seen.push(fill), '1.5'),
      slippage: (fill) => (seen.push(fill), 0.25),
    });
    const order = { id: 3, type: 'limit', reason: 'why' };
    const fill = { instrument: contract, quantity: exact(4), price: exact(50), maker: true, tradedBefore: 9 };
    const before = fees(6, 3_000, 2);
    expect(commission!.commission({ ...fill, before, order }).toString()).toBe('1.5');
    expect(commission!.takerRate(before)).toBeUndefined();
    commission!.commission({ ...fill, maker: false, before, order: undefined });
    const input = { symbol: 'A', price: exact(5), quantity: exact(2), volume: 70, spread: 0 };
    expect(slippage!.slips).toBe(true);
    expect(slippage!.distance({ ...input, buys: true }).toString()).toBe('0.25');
    slippage!.distance({ ...input, buys: false });
    const plain = {
      symbol: 'A',
      quantity: 4,
      price: 50,
      multiplier: 10,
      maker: true,
      tradedBefore: 9,
      order,
      filledBefore: 6,
      paidBefore: 2,
    };
    const slipped = { symbol: 'A', side: 'buy', quantity: 2, price: 5, volume: 70 };
    expect(seen).toEqual([
      plain,
      { ...plain, maker: false, order: undefined },
      slipped,
      { ...slipped, side: 'sell' },
    ]);
  });

  it('must return an amount from 0 to 1e15', () => {
    const of = (answer: unknown): string =>
      customModels({ slippage: () => answer as number })
        .slippage!.distance({
          symbol: 'A',
          buys: true,
          price: exact(1),
          quantity: exact(1),
          volume: 1,
          spread: 0,
        })
        .toString();
    expect([of(0), of('2.5'), of(1e15)]).toEqual(['0', '2.5', '1000000000000000']);
    for (const bad of [-0.01, 1.1e15, Number.NaN, '', null, 'x', undefined])
      expect(() => of(bad), String(bad)).toThrow('The custom slippage model of the strategy returned');
  });

  it('are listed by name, and are absent if the strategy does not define them', () => {
    expect(customModels({})).toEqual({});
    expect(customModelNames(undefined)).toEqual([]);
    expect(customModelNames({})).toEqual([]);
    expect(customModelNames({ slippage: () => 0 })).toEqual(['slippage']);
    expect(customModelNames({ slippage: () => 0, commission: () => 0 })).toEqual(['commission', 'slippage']);
  });
});
