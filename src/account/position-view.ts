import { EXACT_ZERO } from '../kernel/index.ts';
import type { Book } from './book.ts';
import type { PositionView } from './trade.ts';
import type { Valuation } from './valuation.ts';

/** Returns the position of a symbol in decimals. */
export function positionView(
  book: Book,
  symbol: number,
  values: Valuation,
  { currency, stale }: Pick<PositionView, 'currency' | 'stale'>,
): PositionView {
  const { multiplier, margined, margin } = values.contractOf(symbol);
  const flat = book.units === 0;
  const exposure = flat ? EXACT_ZERO : values.exposureOf(symbol, book.quantity);
  const marketValue = margined && !flat ? values.valueOf(symbol, book) : exposure;
  return {
    symbol: book.symbol,
    quantity: book.quantity.toDecimal(),
    averagePrice: book.averagePrice().toDecimal(),
    mark: values.markOf(symbol).toDecimal(),
    marketValue: marketValue.toDecimal(),
    exposure: exposure.toDecimal(),
    unrealisedPnl: (margined ? marketValue : marketValue.minus(book.costBasis())).toDecimal(),
    multiplier: multiplier.toDecimal(),
    margin: margin?.toDecimal() ?? null,
    currency,
    stale,
  };
}
