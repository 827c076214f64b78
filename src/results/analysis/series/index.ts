// Functions that both the program and the scripts of its pages use. They work on arrays of numbers and import
// nothing else.
export { returnsByMonth, type YearOfReturns } from './calendar.ts';
export { type CapacityFound, type CostMultiples, capacityOfShares, costMultiples } from './capacity.ts';
export { mean, quantileOf, type Undefined, undefinedBecause } from './ratios.ts';
export { REGIME_CONVENTION, type Regime, regimesOf } from './regimes.ts';
export { seededDraws } from './resamples.ts';
export { comparedOwn, SPINE_ROWS, type SpineName, type SpineRow, spineRows } from './spine.ts';
