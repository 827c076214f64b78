export {
  type Interrupt,
  type LastWords,
  type RunContext,
  type RunObserver,
  readProgress,
  SILENT,
  type Watch,
} from './context.ts';
export { openSandbox, preparePython } from './decider-of.ts';
export {
  type Amount,
  type CostEstimate,
  type DecisionUsage,
  estimateDecisions,
  recordedUsages,
  sumOf,
} from './estimate/amounts.ts';
export type { Evaluation } from './evaluation.ts';
export type { RunEnd } from './execute-run.ts';
export {
  canonical,
  checkRegistration,
  type ForwardStatus,
  forwardStatus,
  hashOf,
  registrationOf,
  strategyFiles,
  withoutPlaces,
} from './forward/registration.ts';
export { loadDetail } from './inputs/detail.ts';
export { type InstrumentsFile, loadInstruments, unmatchedWarnings } from './inputs/instruments-file.ts';
export { loadOptions } from './inputs/load-bars.ts';
export { fitWorld, loadWorldFiles, type WorldFiles } from './inputs/load-world.ts';
export { maskFilesFor, maskFor, seenWorld, unnamedWarning } from './inputs/market-view.ts';
export { checkOptions, collectErrors } from './inputs/option-faults.ts';
export {
  agentOptions,
  availableData,
  type DataOptions,
  dataOptions,
  figureOptions,
  type RunOptions,
  runOptionsSchema,
  SINGLE_RUN_OPTIONS,
  type SingleRunOption,
  toolExtraOptions,
  worldOptions,
} from './inputs/options.ts';
export { type PlotOptions, plot } from './plot.ts';
export { type BothAnswers, type ReplayEnd, replayRun, runBothAnswers } from './replay-run.ts';
export { recordedRequest, resumeRun } from './resume-run.ts';
export { findBenchmark } from './run-benchmark.ts';
export type { EquityOfRun, FillsOfRun, RunTables, TradesOfRun } from './run-columns.ts';
export { filesOf, parameterTexts } from './run-place.ts';
export { warmUpNote } from './run-prepared.ts';
export { openRecord, type RunRequest } from './run-request.ts';
export { runRequested } from './run-requested.ts';
export {
  codeContext,
  type GivenData,
  givenData,
  type RunStrategyOptions,
  requestOfChecked,
  requestOfOptions,
  runStrategy,
  type StrategyRun,
  type UnwrittenRun,
  type UnwrittenRunOptions,
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
export { movedAnswer, nextBarTool } from './session/trading-session.ts';
export { checkScriptsAllowed, toolExtras } from './tool-extras.ts';
export {
  type TrialInput,
  type TrialStrategy,
  type TrialWorldRequest,
  trialStrategy,
} from './trial/trial-strategy.ts';
export { evaluateTrial, openTrialWorld, type TrialWorld } from './trial/trial-world.ts';
export { bundleRuns, type Verification, verifyRuns } from './verify-run.ts';
export { type EvaluatedWorld, recordEvaluation, unrecordedText } from './write-artifacts.ts';
