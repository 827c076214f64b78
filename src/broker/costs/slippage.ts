import { Exact } from '../../kernel/index.ts';
import type { InstrumentSettings } from '../settings/instrument-schema.ts';
import type { BrokerSettings } from '../settings/settings.ts';
import type { SlippageSettings } from './cost-schema.ts';

/** Inputs of a slippage model for one fill. */
interface SlippageInput {
  readonly symbol: string;
  readonly buys: boolean;
  /** Price of the rule. */
  readonly price: Exact;
  readonly quantity: Exact;
  /** Volume of the bar, in units. */
  readonly volume: number;
  /** Quoted spread of the bar, in money per unit. `NaN` without a column. */
  readonly spread: number;
}

/** Slippage model. Returns how far the price moves against the trader, in money per unit, never negative. */
export interface SlippageModel {
  /** True if the model ever moves a price. Runs without slippage skip all work for it. */
  readonly slips: boolean;
  distance(fill: SlippageInput): Exact;
}

const BASIS_POINT = Exact.of('0.0001');
const HALF = Exact.of('0.5');
const HALF_BASIS_POINT = Exact.of('0.00005');

/** Returns the slippage model that a run's settings select. */
export function slippageModel(settings: BrokerSettings): SlippageModel {
  const slippage = settings.slippage ?? { model: 'bps', bps: settings.slippageBps };
  const model = modelOf(slippage);
  if (slippage.model !== 'fixed' && slippage.model !== 'volume-impact') return model;
  const scales = scalesOf(settings);
  if (scales.size === 0) return model;
  const own = new Map(
    [...scales].map(([symbol, scale]) => [symbol, modelOf(scaledSlippage(slippage, scale))]),
  );
  return { ...model, distance: (fill) => (own.get(fill.symbol) ?? model).distance(fill) };
}

function modelOf(settings: SlippageSettings): SlippageModel {
  switch (settings.model) {
    case 'bps':
      return byFraction(Exact.of(settings.bps).times(BASIS_POINT));
    case 'spread':
      if (settings.bps !== undefined) return byFraction(Exact.of(settings.bps).times(HALF_BASIS_POINT));
      return { slips: true, distance: ({ spread }) => Exact.of(spread).times(HALF) };
    case 'fixed': {
      const amount = Exact.of(settings.amount);
      return { slips: !amount.isZero(), distance: () => amount };
    }
    case 'volume-impact': {
      const coefficient = Exact.of(settings.coefficient);
      return {
        slips: settings.coefficient > 0,
        // A bar without volume fills no orders, so the division is safe. The share is rounded to 12 decimals.
        distance: ({ price, quantity, volume }) =>
          price.times(coefficient).times(quantity.dividedBy(Exact.of(volume)).toDecimalPlaces(12)),
      };
    }
  }
}

function byFraction(fraction: Exact): SlippageModel {
  return { slips: !fraction.isZero(), distance: ({ price }) => price.times(fraction) };
}

type Scale = NonNullable<InstrumentSettings['scale']>;

/** Returns the factors by which a mask has multiplied each symbol's money. Empty without a mask. */
function scalesOf({ instruments }: BrokerSettings): Map<string, Scale> {
  return new Map(
    Object.entries(instruments).flatMap(([symbol, { scale }]) =>
      scale === undefined ? [] : [[symbol, scale]],
    ),
  );
}

/** Converts slippage to its equivalent for a masked symbol. */
function scaledSlippage(slippage: SlippageSettings, { price, turnover }: Scale): SlippageSettings {
  if (slippage.model === 'fixed') return { ...slippage, amount: digits(slippage.amount * price) };
  if (slippage.model === 'volume-impact')
    return { ...slippage, coefficient: digits(slippage.coefficient * turnover) };
  return slippage;
}

/** Rounds the product of two short decimals to remove float64 errors. */
function digits(value: number): number {
  return Number(value.toPrecision(12));
}
