import type { SlippageSettings } from './cost-schema.ts';
import type { InstrumentSettings } from './instrument-schema.ts';
import type { BrokerSettings } from './settings.ts';

type Scale = NonNullable<InstrumentSettings['scale']>;

/** Returns the factors by which a mask has multiplied each symbol's money. Empty without a mask. */
export function scalesOf({ instruments }: BrokerSettings): Map<string, Scale> {
  return new Map(
    Object.entries(instruments).flatMap(([symbol, { scale }]) =>
      scale === undefined ? [] : [[symbol, scale]],
    ),
  );
}

/** Converts slippage to its equivalent for a masked symbol. */
export function scaledSlippage(slippage: SlippageSettings, { price, turnover }: Scale): SlippageSettings {
  if (slippage.model === 'fixed') return { ...slippage, amount: digits(slippage.amount * price) };
  if (slippage.model === 'volume-impact')
    return { ...slippage, coefficient: digits(slippage.coefficient * turnover) };
  return slippage;
}

/** Rounds the product of two short decimals to remove float64 errors. */
function digits(value: number): number {
  return Number(value.toPrecision(12));
}
