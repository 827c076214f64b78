import type { SlippageSettings } from './cost-schema.ts';
import type { InstrumentSettings } from './instrument-schema.ts';
import type { BrokerSettings } from './settings.ts';

type Scale = NonNullable<InstrumentSettings['scale']>;

/** What a mask has multiplied each symbol's money by; empty in a run without one. */
export function scalesOf({ instruments }: BrokerSettings): Map<string, Scale> {
  return new Map(
    Object.entries(instruments).flatMap(([symbol, { scale }]) =>
      scale === undefined ? [] : [[symbol, scale]],
    ),
  );
}

/** Slippage as it means the same for a masked symbol. */
export function scaledSlippage(slippage: SlippageSettings, { price, turnover }: Scale): SlippageSettings {
  if (slippage.model === 'fixed') return { ...slippage, amount: digits(slippage.amount * price) };
  if (slippage.model === 'volume-impact')
    return { ...slippage, coefficient: digits(slippage.coefficient * turnover) };
  return slippage;
}

/** A product of two short decimals, without the dust of its float64. */
function digits(value: number): number {
  return Number(value.toPrecision(12));
}
