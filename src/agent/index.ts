export { type LoadedStrategy, loadStrategy } from './load-strategy.ts';
export { type OrderScript, parseOrderScript } from './order-script.ts';
export { readParameters, ruleDecider } from './rules.ts';
export { orderScriptDecider } from './script-decider.ts';
export { type ComputeAnswer, defineStrategy, type Strategy, type StrategyContext } from './strategy.ts';
