export type { BrokerEvent } from './events.ts';
export { type BarPrices, Broker } from './matching.ts';
export {
  type Amount,
  ORDER_ACTIONS,
  ORDER_TYPES,
  type Order,
  type OrderDesk,
  type OrderOptions,
  type OrderReceipt,
  type OrderRequest,
  orderRequestSchema,
  type Refusal,
} from './order.ts';
export { type BrokerSettings, brokerSettingsSchema } from './settings.ts';
