/** Why cash moved, beside the price of what was traded. */
export const CASH_KINDS = [
  'commission',
  'dividend',
  'borrow_fee',
  'interest',
  'margin_interest',
  'funding',
] as const;
export type CashKind = (typeof CASH_KINDS)[number];
