import type { CashEntry, FinancingTerms } from '../../broker/account/index.ts';
import { BorrowDates, type BrokerSettings } from '../../broker/index.ts';
import { type Exact, formatInstant } from '../../kernel/index.ts';
import type { NewlyEnded, NewlyKnown, NewlyPublished } from '../../market/index.ts';
import type { AccountEvent, ContextEvent, FeaturesEvent, PublishedEvent } from './events.ts';

/** Returns the journal event of feature rows that became visible at the end of a bar. */
export function featuresKnown(found: readonly NewlyKnown[], bar: number): FeaturesEvent {
  return {
    type: 'features_known',
    bar,
    rows: found.map(({ rows, row }) => ({
      ...(rows.symbol === undefined ? {} : { symbol: rows.symbol }),
      date: formatInstant(rows.dateOf(row)),
      availableAt: formatInstant(rows.availableAt(row)),
      values: Object.fromEntries(rows.names.map((name, column) => [name, rows.valueOf(row, column)])),
    })),
  };
}

/** Returns the journal event of context bars that became visible. Context series are not traded. */
export function contextKnown(found: readonly NewlyEnded[], bar: number): ContextEvent {
  return {
    type: 'context_known',
    bar,
    series: found.map(({ symbol, count, availableAt, bar: { time, open, high, low, close, volume } }) => ({
      symbol,
      bars: count,
      date: formatInstant(time),
      availableAt: formatInstant(availableAt),
      prices: [open, high, low, close, volume],
    })),
  };
}

/**
 * Returns the journal events of documents and fundamentals that became visible at the end of this bar. The
 * events do not contain the texts of the documents.
 */
export function publishedEvents({ documents, fundamentals }: NewlyPublished, bar: number): PublishedEvent[] {
  const events: PublishedEvent[] = [];
  if (documents.length > 0)
    events.push({
      type: 'documents_known',
      bar,
      documents: documents.map(({ id, availableAt, symbols, source, kind, title }) => ({
        id,
        availableAt: formatInstant(availableAt),
        symbols,
        source,
        kind,
        title,
      })),
    });
  if (fundamentals.length > 0)
    events.push({
      type: 'fundamentals_known',
      bar,
      rows: fundamentals.map(({ symbol, field, periodEnd, availableAt, value }) => ({
        symbol,
        field,
        periodEnd: formatInstant(periodEnd),
        availableAt: formatInstant(availableAt),
        value,
      })),
    });
  return events;
}

/**
 * Returns the annual interest and borrow rates of a run. Borrow rates of single symbols replace the run's
 * rate.
 */
export function financingTerms(
  symbols: readonly string[],
  settings: BrokerSettings,
  barTimes: 'start' | 'end',
): FinancingTerms {
  const { financing, instruments } = settings;
  const dates = BorrowDates.of(symbols, settings, barTimes);
  const { creditRate = 0, debitRate = 0, borrowRate = 0 } = financing;
  const own = (symbol: string) =>
    Object.hasOwn(instruments, symbol) ? instruments[symbol]?.borrowRate : undefined;
  return {
    creditRate,
    debitRate,
    borrowRates: symbols.map((symbol) => own(symbol) ?? borrowRate),
    borrowRateAt: dates && ((symbol, time) => dates.rateAt(symbol, time)),
  };
}

/** Returns the journal event of interest or a borrow fee. `cash` is the account's cash after the entry. */
export function cashEntryEvent(
  { kind, symbol, amount, base, annualRate, days }: CashEntry,
  bar: number,
  symbols: readonly string[],
  cash: Exact,
): AccountEvent {
  return {
    type: 'cash_entry',
    bar,
    kind,
    ...(symbol === undefined ? {} : { symbol: symbols[symbol]! }),
    amount: amount.toString(),
    cash: cash.toString(),
    base: base.toString(),
    annualRate,
    days,
  };
}
