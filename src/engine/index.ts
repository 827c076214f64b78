export type { Decider, Decision, Turn } from './decider.ts';
export type {
  BarEvent,
  DeciderEvent,
  FileEvent,
  Json,
  OpenTradeRecord,
  RunEvent,
  RunOutcome,
} from './events.ts';
export { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';
export { type RunSettings, type RunSettingsInput, readRunSettings, runSettingsSchema } from './settings.ts';
export { World } from './world.ts';
