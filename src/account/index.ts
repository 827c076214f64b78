export type { Book } from './book.ts';
export type { CashKind } from './cash-kinds.ts';
export { type Contract, inMoney } from './contract.ts';
export { type CashEntry, Financing, type FinancingTerms } from './financing.ts';
export { Ledger } from './ledger.ts';
export type { LedgerOptions, SplitOutcome } from './ledger-types.ts';
export type { SplitRatio } from './lot.ts';
export { isAtPar, tradeTexts } from './lot-trade.ts';
export type { AccountView, Booking, PositionView, Trade } from './trade.ts';
