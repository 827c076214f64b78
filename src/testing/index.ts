/** Tools for testing strategies. Projects import them as `sandtable/testing`. */
export type { ScriptedCall, ScriptedModelOptions, ScriptInput } from '../agents/index.ts';
export {
  type CandleOptions,
  type CandleOrder,
  type CandleRun,
  type CandleTrader,
  candleMarket,
  checkFills,
  type FillRow,
  tradeCandles,
} from './candles.ts';
export { type ModelUnderTest, startScriptedModel, withScriptedModel } from './scripted-model.ts';
