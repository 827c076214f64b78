export {
  type Declarations,
  type DeclaredIndicator,
  declareIndicators,
  type Indicator,
  type IndicatorGroup,
  type IndicatorKit,
  type IndicatorsOf,
  type PriceColumn,
} from './declare.ts';
export { IndicatorSet } from './indicator-set.ts';
export { IndicatorMemo, type SharedSeries } from './memo.ts';
