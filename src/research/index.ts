export { clusterAddress } from './cluster/address.ts';
export type { ClusterOptions } from './cluster/options.ts';
export { runWorker, type WorkerOptions } from './cluster/worker.ts';
export { TaskEvaluator } from './evaluate-task.ts';
export type { TrialExecutor, TrialResult, TrialTask, TrialWish } from './executor.ts';
export { type Expression, readExpression } from './expression.ts';
export { FIGURE_NAMES, figuresOf } from './figures.ts';
export { SEARCHES, type SearchName } from './search/index.ts';
export type { ParameterValue } from './space.ts';
export { holdsStress } from './stress/folder.ts';
export { type StressOptions, type StressResult, stressFromCode } from './stress/from-code.ts';
export type { StressRequest } from './stress/request.ts';
export { resumeStress, runStress, type StressEnd } from './stress/stress.ts';
export { resumeStudy, runStudy, type StudyEnd, type StudyOptions } from './study/study.ts';
export { resumeSweep, runSweep, type SweepEnd } from './sweep.ts';
export { type SweepOptions, sweepFromCode } from './sweep-from-code.ts';
export {
  type ExecutorGround,
  KEEPS,
  type Keep,
  type SweepContext,
  type SweepRequest,
} from './sweep-request.ts';
export { type SweepStatus, stopSweep, sweepStatus } from './sweep-status.ts';
export { type Period, type Trial, trialOf } from './trial.ts';
export { WORLD_KINDS, type WorldKind } from './worlds/make-worlds.ts';
export { type NoiseSize, readNoise } from './worlds/noise-size.ts';
