export { type AgentOptions, strategyOfAgent } from './external/agent-channels.ts';
export { type Environment, fillIn, SET_IT, withEnvFile } from './llm/environment.ts';
export { tradingOnly, variantOf } from './llm/load-llm.ts';
export { maskedTools } from './llm/masked.ts';
export { modelSettingsSchema } from './llm/schema.ts';
export {
  type AgentBudget,
  agentBudgetSchema,
  type Budget,
  type BudgetLimit,
  budgetSchema,
  isSharedBudgetStop,
  type Meter,
  type ModelSpending,
  SHARED_BUDGET_SPENT,
  sharedBudgetStop,
  sharedBudgetText,
} from './model/budget.ts';
export type { ProbeReport } from './probe/probe.ts';
export { readPythonSources } from './python/sources.ts';
export { otherRecording, type Recording, recordingOf } from './record/recording.ts';
export type { ResolvedModel, RunServices, StrategyMask } from './run-services.ts';
export { readScript, readScriptFile, type Script, type ScriptInput } from './scripted-model/script.ts';
export {
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from './scripted-model/server.ts';
export { ClientDrivenDecider } from './strategies/client-driven.ts';
export {
  codeHash,
  isModule,
  isPython,
  loadStrategy,
  openPythonStrategy,
  strategyFromCode,
  strategyOfBundle,
} from './strategies/load-strategy.ts';
export { orderScriptDecider, parseOrderScript } from './strategies/order-script.ts';
export type { OrderScript } from './strategies/order-script-schema.ts';
export { RULE_TIMEOUT_SECONDS, readParameters, ruleDecider } from './strategies/rules.ts';
export {
  type ComputeAnswer,
  defineStrategy,
  isStrategy,
  type LoadContext,
  type LoadedStrategy,
  type Strategy,
  type StrategyContext,
} from './strategies/strategy.ts';
export { bundleStrategyFile, openBundle, type StrategyBundle } from './strategies/strategy-bundle.ts';
