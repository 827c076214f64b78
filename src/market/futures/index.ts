export {
  type ContinuousOptions,
  type ContinuousSeries,
  continuousSeries,
  ROLL_ADJUSTMENTS,
  type RollRule,
  readRollRule,
} from './continuous.ts';
export { type Expiry, loadExpiries } from './expiries.ts';
export { type LoadedFunding, loadFunding } from './funding.ts';
export { type LoadedRolls, loadRolls, rollsCsv, saveRolls } from './rolls.ts';
export type { FuturesSource } from './source.ts';
