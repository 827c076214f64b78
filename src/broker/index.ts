export type { Auctions } from './auctions.ts';
export type { BarPrices } from './bar-prices.ts';
export { BorrowDates } from './borrow.ts';
export { Broker, type BrokerParts } from './broker.ts';
export { COMMISSION_MODELS, commissionSchema, SLIPPAGE_MODELS, slippageSchema } from './cost-schema.ts';
export type { CostModels } from './costs.ts';
export {
  type CommissionedFill,
  type CustomCosts,
  customModelNames,
  customModels,
  type SlippedFill,
} from './custom-costs.ts';
export type { CancelReceipt, OrderCut, OrderDesk, OrderOptions, OrderReceipt } from './desk.ts';
export type { BrokerEvent } from './events.ts';
export { type InstrumentSettings, instrumentSchema, multiplierOf } from './instrument-schema.ts';
export { contractsOf, ownTerms } from './instruments.ts';
export { commissionText, modelText, numberOrText, pairsOf } from './model-text.ts';
export type { Order } from './order.ts';
export { orderView } from './order-view.ts';
export { readGoodTill } from './read-time.ts';
export {
  OTHERS,
  type Rebalanced,
  type RebalanceReceipt,
  type RebalanceRequest,
  rebalanceFaults,
  type SkippedWeight,
  type WeightShortfall,
} from './rebalance-request.ts';
export type { Refusal } from './refusals.ts';
export {
  type Amount,
  type ExitLevel,
  MOST_TARGETS,
  ORDER_ACTIONS,
  ORDER_TYPES,
  type OrderRequest,
  type OrderType,
  orderRequestSchema,
  type TargetLevel,
  TIMES_IN_FORCE,
} from './request.ts';
export { type RequestFault, requestFaults } from './request-check.ts';
export {
  type BrokerSettings,
  brokerSettingsSchema,
  maintenanceMarginOf,
  neededColumns,
} from './settings.ts';
export { currencyPart, multiplierPart, tradeClosed } from './trade-event.ts';
