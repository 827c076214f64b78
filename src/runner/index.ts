export { type BothAnswers, runBothAnswers } from './both-answers.ts';
export { collectErrors } from './collect-errors.ts';
export {
  type Interrupt,
  type LastWords,
  type RunContext,
  type RunObserver,
  SILENT,
  type Watch,
} from './context.ts';
export { loadDetail } from './detail.ts';
export type { Evaluation } from './evaluation.ts';
export { findBenchmark } from './find-benchmark.ts';
export { codeContext, type GivenData, givenData } from './from-code.ts';
export { givenBeside } from './given-beside.ts';
export { type InstrumentsFile, loadInstruments } from './instruments-file.ts';
export { loadOptions } from './load-options.ts';
export type { WorldFiles } from './load-world.ts';
export { fitWorld, loadWorldFiles } from './load-world.ts';
export { maskFilesFor, maskFor, seenWorld, unnamedWarning } from './market-view.ts';
export { checkOptions } from './option-faults.ts';
export {
  agentOptions,
  type DataOptions,
  dataOptions,
  figureOptions,
  type RunOptions,
  runOptionsSchema,
  toolExtraOptions,
  worldOptions,
} from './options.ts';
export { openRecord } from './other-record.ts';
export { openSandbox, preparePython } from './python.ts';
export { type EvaluatedWorld, recordEvaluation, unrecordedText } from './record-look.ts';
export { type ReplayEnd, replayRun } from './replay-run.ts';
export { resumeRun } from './resume-run.ts';
export type { RunEnd } from './run-end.ts';
export { lockRun } from './run-lock.ts';
export { parameterTexts } from './run-place.ts';
export type { RunRequest } from './run-request.ts';
export { runRequested } from './run-requested.ts';
export {
  type RunStrategyOptions,
  requestOfChecked,
  requestOfOptions,
  runStrategy,
  type StrategyRun,
} from './run-strategy.ts';
export {
  holdsSamples,
  resumeSamples,
  runSample,
  runSamples,
  type SamplesContext,
  type SamplesEnd,
} from './samples.ts';
export { ClientRun } from './session/client-run.ts';
export { loadMcp } from './session/load-mcp.ts';
export { movedAnswer } from './session/moved-answer.ts';
export { nextBarTool } from './session/session-tools.ts';
export { checkScriptsAllowed, toolExtras } from './tool-extras.ts';
export type { TrialInput, TrialWorldRequest } from './trial-request.ts';
export { type TrialStrategy, trialStrategy } from './trial-strategy.ts';
export { evaluateTrial, openTrialWorld, type TrialWorld } from './trial-world.ts';
export { unmatchedWarnings } from './unmatched-symbols.ts';
