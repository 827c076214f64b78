import { Exact } from '../kernel/index.ts';
import type { SlippageSettings } from './cost-schema.ts';
import { scaledSlippage, scalesOf } from './scale.ts';
import type { BrokerSettings } from './settings.ts';

/** What a slippage model is given of a fill. */
interface SlippageInput {
  readonly symbol: string;
  readonly buys: boolean;
  /** The rule's price. */
  readonly price: Exact;
  readonly quantity: Exact;
  /** The bar's volume, in units. */
  readonly volume: number;
  /** Quoted spread of the bar, in money a unit; NaN where no column has it. */
  readonly spread: number;
}

/** A slippage model: how far the price moves against the trader, in money a unit, never negative. */
export interface SlippageModel {
  /** Whether it ever moves a price: a run without slippage does no work for it. */
  readonly slips: boolean;
  distance(fill: SlippageInput): Exact;
}

const BASIS_POINT = Exact.of('0.0001');
const HALF = Exact.of('0.5');
const HALF_BASIS_POINT = Exact.of('0.00005');

/** The model a run's settings choose. */
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
        // A bar without volume fills nothing, so the division is safe. The share is rounded to 12 decimals.
        distance: ({ price, quantity, volume }) =>
          price.times(coefficient).times(quantity.dividedBy(Exact.of(volume)).toDecimalPlaces(12)),
      };
    }
  }
}

function byFraction(fraction: Exact): SlippageModel {
  return { slips: !fraction.isZero(), distance: ({ price }) => price.times(fraction) };
}
