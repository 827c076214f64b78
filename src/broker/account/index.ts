export { type CashEntry, Financing, type FinancingTerms } from './financing.ts';
export { Ledger } from './ledger.ts';
export { type Contract, inMoney, type SplitRatio } from './lot.ts';
export { type Book, isAtPar, tradeTexts } from './lot-trade.ts';
export type {
  AccountView,
  Booking,
  CashKind,
  LedgerOptions,
  PositionView,
  SplitOutcome,
  Trade,
} from './trade.ts';
