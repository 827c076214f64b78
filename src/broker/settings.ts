import { z } from 'zod';

/** The trading terms of a run. Rates are fractions of notional; basis points are 1/10,000. */
export const brokerSettingsSchema = z.strictObject({
  /** Commission as a fraction of each fill's notional: 0.002 is 0.2 %. */
  commissionRate: z.number().min(0).lt(1).default(0),
  /** How far a market fill moves against the trader, in basis points of the price; never beyond the bar's range. */
  slippageBps: z.number().min(0).lt(10_000).default(0),
  /** Notional a unit of equity can carry; 1 is a cash account. */
  leverage: z.number().min(1).max(1_000).default(1),
  /** Smallest quantity and step of quantities, in units. */
  lot: z.number().positive().default(1),
  allowShort: z.boolean().default(true),
});

export type BrokerSettings = z.infer<typeof brokerSettingsSchema>;
