import type { CashEntry, FinancingTerms } from '../account/index.ts';
import { BorrowDates, type BrokerSettings } from '../broker/index.ts';
import type { Exact } from '../kernel/index.ts';
import type { AccountEvent } from './events.ts';

/** Returns the annual rates of a run, with rates by symbol where they are set. */
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

/** Returns the journal event of interest or a fee. */
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
