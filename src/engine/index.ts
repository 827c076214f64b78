export type { Decider, Decision, Turn } from './decider.ts';
export type {
  AccountEvent,
  BarEvent,
  DeciderEvent,
  Json,
  OpenTradeRecord,
  RunEvent,
  RunOutcome,
} from './events.ts';
export { type TradedMarket, tradedMarket } from './exchange-rates.ts';
export { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts';
export { type RunSettings, type RunSettingsInput, readRunSettings, runSettingsSchema } from './settings.ts';
export { World, type WorldExtras } from './world.ts';
