// Functions that both the program and the scripts in its HTML pages use. They work on arrays of numbers and
// import nothing except random numbers from the kernel.

export {
  BENCHMARK_ROWS,
  type BenchmarkRow,
  type BenchmarkRowName,
  benchmarkSteps,
  comparedOwn,
} from './benchmark-rows.ts';
export { returnsByMonth, type YearOfReturns } from './calendar.ts';
export { type CapacityFound, type CostMultiples, capacityOfShares, costMultiples } from './capacity.ts';
export { dollars } from './dollars.ts';
export { completed, type Steps } from './path-intervals.ts';
export { mean, quantileOf, sharpeInterval, type Undefined, undefinedBecause } from './ratios.ts';
export { REGIME_CONVENTION, type Regime, regimesOf } from './regimes.ts';
export { seededDraws } from './resamples.ts';
