export { holdsStress } from './stress/folder.ts';
export { type StressOptions, type StressResult, stressFromCode } from './stress/from-code.ts';
export type { StressRequest } from './stress/request.ts';
export { resumeStress, runStress, type StressEnd } from './stress/stress.ts';
export { WORLD_KINDS, type WorldKind } from './worlds/make-worlds.ts';
export { type NoiseSize, readNoise } from './worlds/noise-size.ts';
