// What the program and a script of its pages both work out: functions of arrays of numbers, which import nothing else.
export { createRandom } from '../../kernel/random.ts';
export { drawResamples, type Interval, type Resamples } from './bootstrap.ts';
export { atEqualVolatility } from './equal-volatility.ts';
export {
  PATH_FIGURES,
  type PathFigure,
  type PathFigures,
  type PathTerms,
  pathFigures,
} from './path-figures.ts';
export { type PathIntervals, pathIntervals } from './path-intervals.ts';
export { quantileOf } from './quantiles.ts';
export { SPINE_ROWS, type SpineName, type SpineRow, spineRows } from './spine.ts';
export { mean, standardDeviation } from './statistics.ts';
