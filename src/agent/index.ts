export { ClientDrivenDecider } from './client-driven.ts';
export { type Environment, withEnvFile } from './llm/environment.ts';
export { maskedTools } from './llm/masked-tools.ts';
export { modelSettingsSchema } from './llm/schema.ts';
export { tradingOnly, variantOf } from './llm/variant.ts';
export { isModule, loadStrategy, strategyFromCode, strategyOfBundle } from './load-strategy.ts';
export type { LoadContext, LoadedStrategy } from './loaded-strategy.ts';
export {
  type AgentBudget,
  agentBudgetSchema,
  type Budget,
  type BudgetLimit,
  budgetSchema,
} from './model/budget.ts';
export {
  isSharedBudgetStop,
  type Meter,
  type ModelSpending,
  SHARED_BUDGET_SPENT,
  sharedBudgetStop,
  sharedBudgetText,
} from './model/meter.ts';
export { parseOrderScript } from './order-script.ts';
export type { OrderScript } from './order-script-schema.ts';
export { type AgentOptions, strategyOfAgent } from './own/own-agent.ts';
export type { ProbeReport } from './probe/probe.ts';
export { otherRecording, type Recording, recordingOf } from './record/recording.ts';
export { ruleDecider } from './rule-decider.ts';
export { RULE_TIMEOUT_SECONDS, readParameters } from './rules.ts';
export type { ResolvedModel, RunServices, StrategyMask } from './run-services.ts';
export { orderScriptDecider } from './script-decider.ts';
export { readScript, readScriptFile, type Script, type ScriptInput } from './scripted-model/script.ts';
export {
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from './scripted-model/server.ts';
export {
  type ComputeAnswer,
  defineStrategy,
  isStrategy,
  type Strategy,
  type StrategyContext,
} from './strategy.ts';
export { bundleStrategyFile, openBundle, type StrategyBundle } from './strategy-bundle.ts';
