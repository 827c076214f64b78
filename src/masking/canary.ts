import { DAY } from '../kernel/index.ts';
import {
  type BarSeries,
  type FeatureTable,
  keepInterval,
  type Market,
  mapColumns,
  type PointInTimeData,
  trusted,
} from '../market/index.ts';

const CANARY_BARS = 3;
const CANARY_STEP = 7 * DAY;

/** Price and volume of the bars that must never be seen. */
export const CANARY_VALUE = 91_827_364_509;

/** A market with bars after its clock's end that no run ever walks: whoever shows their values has seen the future. */
export function withCanary(market: Market): Market {
  return trusted({ ...market, series: canarySeries(market.series, market) });
}

/** Features with a row behind their last that is never known while the run walks: its numbers are seen by nobody. */
export function canaryFeatures(tables: readonly FeatureTable[], { clock }: Market): FeatureTable[] {
  const stamp = { instant: (clock.at(-1) ?? 0) + (CANARY_BARS + 1) * CANARY_STEP, wholeDay: false };
  return tables.map((table) => ({
    ...table,
    dates: [...table.dates, stamp],
    known: [...table.known, stamp],
    symbols: table.symbols === undefined ? undefined : [...table.symbols, ''],
    columns: table.columns.map((column) => ({
      ...column,
      values: [
        ...column.values,
        column.type === 'number' ? CANARY_VALUE : column.type === 'text' ? String(CANARY_VALUE) : null,
      ],
    })),
  }));
}

/** A document and a figure of each symbol's that are never known while the run walks. */
export function canaryPointInTime(given: PointInTimeData, { clock, symbols }: Market): PointInTimeData {
  const { documents, fundamentals } = given;
  const text = String(CANARY_VALUE);
  const instant = (clock.at(-1) ?? 0) + (CANARY_BARS + 1) * CANARY_STEP;
  const known = { instant, wholeDay: false };
  const [field = ''] = fundamentals.map((row) => row.field);
  return {
    ...given,
    documents:
      documents.length === 0
        ? documents
        : [
            ...documents,
            { id: text, known, symbols, source: text, kind: text, title: text, text, where: 'the canary' },
          ],
    fundamentals:
      fundamentals.length === 0
        ? fundamentals
        : [
            ...fundamentals,
            ...symbols.map((symbol) => ({ symbol, field, periodEnd: instant, known, value: CANARY_VALUE })),
          ],
  };
}

/**
 * Series with such bars behind them, such as those that only give exchange rates.
 *
 * @param market whose clock the run walks: a series that ends before it must not go on while it runs
 */
export function canarySeries(series: readonly BarSeries[], { clock }: Market): BarSeries[] {
  return series.map((one) => {
    const last = Math.max(clock.at(-1) ?? 0, one.time.at(-1) ?? 0);
    return {
      ...mapColumns(keepInterval(one), (column) => {
        const longer = new Float64Array(column.length + CANARY_BARS).fill(CANARY_VALUE);
        longer.set(column);
        if (column === one.time) {
          for (let bar = 0; bar < CANARY_BARS; bar++)
            longer[column.length + bar] = last + (bar + 1) * CANARY_STEP;
        }
        return longer;
      }),
      symbol: one.symbol,
      // What comes after has no end.
      ...(one.ends === undefined ? {} : { ends: one.ends }),
    };
  });
}
