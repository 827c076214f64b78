export type { BarContext, Decider, Decision } from './decider.ts';
export { DecisionFault, neverSettles, placeIn, RunStop, strategyUncaught } from './decision.ts';
export {
  type AccountEvent,
  type BarEvent,
  type BarValues,
  type DeciderEvent,
  type FileEvent,
  isResult,
  type Json,
  type OpenTradeRecord,
  type PublishedEvent,
  type RunEvent,
  type RunOutcome,
} from './events/events.ts';
export { EventsSince, type EventsSinceFields, type MarketEvent } from './events/events-since.ts';
export {
  MASK_KINDS,
  MASK_VERSION,
  type MaskCalendar,
  type MaskKind,
  type MaskTerms,
  type SymbolScale,
  type TimeSteps,
} from './events/mask-terms.ts';
export type {
  AgentEvent,
  AgentFailure,
  AgentFailureKind,
  DecisionOutcome,
  ModelEvent,
  ModelFailure,
  ModelFailureKind,
  ServedBy,
  Speaker,
  TokenUsage,
} from './events/model-events.ts';
export { MOST_LISTED, type NewDocuments, recentEvents } from './events/recent-events.ts';
export { type NoteLimit, shapeFault } from './events/recorded-event.ts';
export { type BacktestOptions, type BacktestResult, type BarFeed, runBacktest } from './run.ts';
export {
  asJson,
  isJsonObject,
  jsonSchema,
  mergeSettings,
  parseJson,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
  runSettingsFaults,
  runSettingsSchema,
  settingsFaults,
} from './settings/settings.ts';
export { FIRST_DECISION, firstAskedBar, firstBarFrom, withWarmUp } from './settings/settings-fit.ts';
export { DOORS, openDoorsOf, platformDoors, warningsOf, withRecordedTexts } from './start.ts';
export { type BarAmounts, type BarSource, lightAmounts, NO_EXPOSURE } from './world/bar-amounts.ts';
export { type PublishedData, publishedData } from './world/bar-context.ts';
export {
  ACCOUNT_CURRENCY,
  currenciesOf,
  rateOf,
  type TradedMarket,
  tradedMarket,
} from './world/exchange-rates.ts';
export { ownAuctions, sessionAuctions, tradedBars } from './world/instrument-times.ts';
export {
  amountsOfBars,
  barsSinceEntry,
  crossedAbove,
  crossedBelow,
  equityNumberOf,
  isFirstBarOfMonth,
  isFirstBarOfSession,
  type Level,
  LightBar,
  priceReader,
  sourceOfBars,
} from './world/light-bar.ts';
export type { Arrivals, WorldExtras } from './world/side-data.ts';
export { World } from './world/world.ts';
