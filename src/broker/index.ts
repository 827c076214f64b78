export { Broker, type BrokerParts } from './broker.ts';
export { BorrowDates } from './costs/cost-models.ts';
export { COMMISSION_MODELS, commissionSchema, SLIPPAGE_MODELS, slippageSchema } from './costs/cost-schema.ts';
export type { CostModels } from './costs/costs.ts';
export {
  type CommissionedFill,
  type CustomCosts,
  customModelNames,
  customModels,
  type SlippedFill,
} from './costs/custom-costs.ts';
export type { CancelReceipt, OrderCut, OrderDesk, OrderOptions, OrderReceipt } from './desk.ts';
export { type BrokerEvent, currencyPart, multiplierPart, tradeClosed } from './events.ts';
export type { LateCommands } from './late-commands.ts';
export type { Auctions, BarPrices } from './matching/triggers.ts';
export { type RequestFault, requestFaults } from './orders/exit-sides.ts';
export { commissionText, modelText, numberOrText, pairsOf } from './orders/model-text.ts';
export { type Order, orderView } from './orders/order.ts';
export { readGoodTill } from './orders/read-fields.ts';
export {
  OTHERS,
  type Rebalanced,
  type RebalanceReceipt,
  type RebalanceRequest,
  rebalanceFaults,
  type SkippedWeight,
  type WeightShortfall,
} from './orders/rebalance-request.ts';
export type { Refusal } from './orders/refusals.ts';
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
} from './orders/request.ts';
export { contractsOf, ownTerms } from './settings/instruments.ts';
export {
  type BrokerSettings,
  brokerSettingsSchema,
  type InstrumentSettings,
  instrumentSchema,
  maintenanceMarginOf,
  multiplierOf,
  neededColumns,
} from './settings/settings.ts';
