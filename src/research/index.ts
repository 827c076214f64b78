export { type ClusterOptions, clusterAddress } from './queue/plan.ts';
export { runWorker, type WorkerOptions } from './queue/worker.ts';
export { SEARCHES, type SearchName } from './search/search-over.ts';
export { holdsStress } from './stress/folder.ts';
export { type StressOptions, type StressResult, stressFromCode } from './stress/from-code.ts';
export { resumeStress, runStress, type StressEnd } from './stress/stress.ts';
export type { StressRequest } from './stress/world-runner.ts';
export { estimateStudy, type StudyEstimate } from './study/estimate-study.ts';
export { planStudy, resumeStudy, runStudy, type StudyEnd, type StudyOptions } from './study/study.ts';
export { TaskEvaluator } from './sweep/evaluate-task.ts';
export type { TrialExecutor, TrialResult, TrialTask, TrialWish } from './sweep/executor.ts';
export { FIGURE_NAMES, figuresOf, type Period, type Trial, trialOf } from './sweep/figures.ts';
export { type Expression, readExpression } from './sweep/objective.ts';
export type { ParameterValue } from './sweep/space.ts';
export { resumeSweep, runSweep, type SweepEnd } from './sweep/sweep.ts';
export { type SweepStatus, stopSweep, sweepStatus } from './sweep/sweep-folder.ts';
export { type SweepOptions, sweepFromCode } from './sweep/sweep-from-code.ts';
export {
  type ExecutorGround,
  KEEPS,
  type Keep,
  type SweepContext,
  type SweepRequest,
} from './sweep/sweep-request.ts';
export { type NoiseSize, readNoise } from './worlds/build.ts';
export { WORLD_KINDS, type WorldKind } from './worlds/make-worlds.ts';
