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

/** Price and volume of the canary bars, which no part of a run may ever see. */
export const CANARY_VALUE = 91_827_364_509;

/**
 * Adds bars after the end of the market's clock. No run processes them, so anything that shows their values
 * has used future data.
 */
export function withCanary(market: Market): Market {
  return trusted({ ...market, series: canarySeries(market.series, market) });
}

/** Adds a row to each table of features that never becomes visible during the run. */
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

/** Adds a document and a figure of each symbol that never become visible during the run. */
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
 * Adds canary bars to series, for example to those of exchange rates.
 *
 * @param market market of the run; a series that ends earlier gets its canary bars after the end of the
 *   market's clock
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
      // An infinite end needs no extension.
      ...(one.ends === undefined ? {} : { ends: one.ends }),
    };
  });
}
