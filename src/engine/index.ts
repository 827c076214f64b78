export type { Decider, Decision, Turn } from './decider.ts';
export type { BarEvent, DeciderEvent, Json, OpenTradeRecord, RunEvent, RunOutcome } from './events.ts';
export {
  CANARY_VALUE,
  createMask,
  MASK_KINDS,
  type MaskKind,
  type MaskTerms,
  maskMarket,
  maskSettings,
  withCanary,
} from './mask.ts';
export type {
  DecisionOutcome,
  ModelEvent,
  ModelFailure,
  ModelFailureKind,
  TokenUsage,
} from './model-events.ts';
export { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';
export { type RunSettings, type RunSettingsInput, readRunSettings, runSettingsSchema } from './settings.ts';
export { RunStop } from './stop.ts';
export { World } from './world.ts';
