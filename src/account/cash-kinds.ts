/** Reasons for cash movements other than the price of traded units. */
export const CASH_KINDS = [
  'commission',
  'dividend',
  'borrow_fee',
  'interest',
  'margin_interest',
  'funding',
] as const;
export type CashKind = (typeof CASH_KINDS)[number];
