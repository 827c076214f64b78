export {
  type ContinuousOptions,
  type ContinuousSeries,
  continuousSeries,
  type Expiry,
  loadExpiries,
  ROLL_ADJUSTMENTS,
  type RollRule,
  readRollRule,
} from './continuous.ts';
export { type LoadedFunding, loadFunding } from './funding.ts';
export { type FuturesSource, type LoadedRolls, loadRolls, rollsCsv, saveRolls } from './rolls.ts';
