export { Ledger } from './ledger.ts';
export type { AccountView, Booking, PositionView, Trade } from './trade.ts';
