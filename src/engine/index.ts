export type { Decider, Decision, Turn } from './decider.ts';
export type {
  BarEvent,
  BarValues,
  DeciderEvent,
  FileEvent,
  Json,
  OpenTradeRecord,
  RunEvent,
  RunOutcome,
} from './events.ts';
export { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';
export {
  mergeSettings,
  type RunSettings,
  type RunSettingsInput,
  readRunSettings,
  runSettingsFaults,
  runSettingsSchema,
} from './settings.ts';
export { spreadColumns } from './spread.ts';
export { stampsOf } from './stamps.ts';
export { World } from './world.ts';
