import type { CustomCosts } from '../broker/index.ts';
import { type Decimal, decimal } from '../kernel/index.ts';
import type { MaskView } from './mask-view.ts';

type Answer = number | string | Decimal;

/** Wraps custom costs. They are called with real values, and their results are masked. */
export function maskCosts({ commission, slippage }: CustomCosts, view: MaskView): CustomCosts {
  const times = (value: number, factor: string): number =>
    factor === '1' ? value : decimal(value).times(factor).toNumber();
  const over = (value: number, factor: string): number =>
    factor === '1' ? value : decimal(value).dividedBy(factor).toNumber();
  const nameOf = (symbol: string): string => view.symbols[symbol] ?? symbol;
  return {
    ...(commission === undefined
      ? {}
      : {
          commission: (fill) => {
            const { symbol } = fill;
            const answer = commission({
              ...fill,
              symbol: nameOf(symbol),
              quantity: times(fill.quantity, view.units(symbol)),
              price: over(fill.price, view.price(symbol)),
              filledBefore: times(fill.filledBefore, view.units(symbol)),
              paidBefore: times(fill.paidBefore, view.rate(symbol)),
            });
            return changed(answer, (money) => decimal(money).dividedBy(view.rate(symbol)));
          },
        }),
    ...(slippage === undefined
      ? {}
      : {
          slippage: (fill) => {
            const { symbol } = fill;
            const answer = slippage({
              ...fill,
              symbol: nameOf(symbol),
              quantity: times(fill.quantity, view.units(symbol)),
              price: over(fill.price, view.price(symbol)),
              volume: over(fill.volume, view.volume(symbol)),
            });
            return changed(answer, (distance) => decimal(distance).times(view.price(symbol)));
          },
        }),
  };
}

/** Results that are not amounts are passed on, so that the broker rejects them with its own message. */
function changed(answer: Answer, change: (amount: Answer) => Decimal): Answer {
  return Number.isFinite(Number(answer)) && String(answer).trim() !== ''
    ? change(answer).toSignificantDigits(12)
    : answer;
}
