export { ClientDrivenDecider } from './client-driven.ts';
export { type LoadedStrategy, loadStrategy } from './load-strategy.ts';
export { type OrderScript, orderScriptDecider, parseOrderScript } from './order-script.ts';
export { readParameters, ruleDecider } from './rules.ts';
export { type ComputeAnswer, defineStrategy, type Strategy, type StrategyContext } from './strategy.ts';
