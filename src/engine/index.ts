export type { AgentEvent, AgentFailure, AgentFailureKind } from './agent-events.ts';
export { ownAuctions, sessionAuctions } from './auction-times.ts';
export { neverSettles } from './deadline.ts';
export type { BarContext, Decider, Decision } from './decider.ts';
export { DecisionFault } from './decision.ts';
export { DOORS, openDoorsOf, platformDoors } from './doors.ts';
export { FIRST_DECISION, firstAskedBar, firstBarFrom, withWarmUp } from './evaluation.ts';
export { shapeFault } from './event-shape.ts';
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
} from './events.ts';
export { EventsSince, type MarketEvent, type SinceParts } from './events-since.ts';
export { ACCOUNT_CURRENCY, currenciesOf, rateOf, type TradedMarket, tradedMarket } from './exchange-rates.ts';
export { tradedBars } from './instrument-times.ts';
export { asJson, isJsonObject, jsonSchema, parseJson } from './json.ts';
export { type KnownBeside, knownBeside } from './known-beside.ts';
export { type BarSource, equityNumberOf, sourceOfBars } from './light-bar.ts';
export {
  MASK_KINDS,
  MASK_VERSION,
  type MaskCalendar,
  type MaskKind,
  type MaskTerms,
  type SymbolScale,
  type TimeSteps,
} from './mask-terms.ts';
export type {
  DecisionOutcome,
  ModelEvent,
  ModelFailure,
  ModelFailureKind,
  ServedBy,
  Speaker,
  TokenUsage,
} from './model-events.ts';
export type { NoteLimit } from './recorded-event.ts';
export { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';
export {
  mergeSettings,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
  runSettingsFaults,
  runSettingsSchema,
} from './settings.ts';
export { settingsFaults } from './settings-faults.ts';
export { MOST_LISTED, type NewDocuments, sinceBlock } from './since-block.ts';
export { RunStop } from './stop.ts';
export { placeIn, strategyUncaught } from './strategy-errors.ts';
export { warningsOf } from './warnings.ts';
export { World } from './world.ts';
export type { Arrivals, WorldExtras } from './world-extras.ts';
