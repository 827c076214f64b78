// What the program and a script of its pages both work out: functions of arrays of numbers, which import nothing else.
export { createRandom } from '../../kernel/random.ts';
export { drawResamples, type Resamples } from './bootstrap.ts';
export { quantileOf } from './quantiles.ts';
export { SPINE_ROWS, type SpineName, type SpineRow, spineRows } from './spine.ts';
export { mean } from './statistics.ts';
