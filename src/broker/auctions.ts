/** Bars in which the auctions of a symbol's sessions take place. */
export interface Auctions {
  /** True if orders for the open fill at the open of a bar. */
  isOpening(symbol: number, bar: number): boolean;
  /** True if orders for the close fill at the close of a bar. */
  isClosing(symbol: number, bar: number): boolean;
}

/** Every bar has both auctions: the rule if sessions are unknown. */
export const EVERY_BAR: Auctions = { isOpening: () => true, isClosing: () => true };
