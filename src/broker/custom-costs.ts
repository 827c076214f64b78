import { AppError, type Decimal, Exact } from '../kernel/index.ts';
import type { CostModels } from './costs.ts';

/** A fill as a user's own commission model sees it, in plain numbers. */
export interface CommissionedFill {
  readonly symbol: string;
  /** Units, positive. */
  readonly quantity: number;
  /** What is paid for a unit, slippage included. */
  readonly price: number;
  /** Money for a point of that price; 1 for a share. */
  readonly multiplier: number;
  /** Whether a resting order was hit at its limit. */
  readonly maker: boolean;
  /** Notional traded in the run before this fill. */
  readonly tradedBefore: number;
  /** The order it belongs to; undefined while an order is only asked for. */
  readonly order:
    | { readonly id: number; readonly type: string; readonly reason: string | undefined }
    | undefined;
  /** Units of the order that have filled before, and what was charged for them: a minimum is due once an order. */
  readonly filledBefore: number;
  readonly paidBefore: number;
}

/** A market or stop fill as a user's own slippage model sees it, in plain numbers. */
export interface SlippedFill {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Units, positive. */
  readonly quantity: number;
  /** The rule's price, before slippage. */
  readonly price: number;
  /** Volume of the bar, in units. */
  readonly volume: number;
}

/**
 * A user's own costs; what is left out stays with the settings.
 *
 * Both must be pure functions. They are asked more than once a fill, to find out what can be afforded, and for outcomes of
 * a bar that are not booked: the same fill must get the same answer, whatever was asked before, and a commission must not
 * fall as the quantity grows.
 */
export interface CustomCosts {
  /** Commission of a fill, in money; what its order has filled and paid before is in `filledBefore` and `paidBefore`. */
  readonly commission?: (fill: CommissionedFill) => number | string | Decimal;
  /** How far the price moves against the trader, in money a unit; the bar's high and low cap it. */
  readonly slippage?: (fill: SlippedFill) => number | string | Decimal;
}

/** Largest amount that a model may answer. */
const MOST = 1e15;

/** A user's own costs as the broker's models. */
export function customModels({ commission, slippage }: CustomCosts): CostModels {
  return {
    ...(commission === undefined
      ? {}
      : {
          commission: {
            takerRate: () => undefined,
            commission: ({ instrument, quantity, price, maker, tradedBefore, before, order }) => {
              const fill = {
                symbol: instrument.symbol,
                quantity: quantity.toNumber(),
                price: price.toNumber(),
                multiplier: instrument.multiplier.toNumber(),
                maker,
                tradedBefore,
                order: order && { id: order.id, type: order.type, reason: order.reason },
                filledBefore: before.quantity.toNumber(),
                paidBefore: before.charged.toNumber(),
              };
              return checked('commission', commission(fill));
            },
          },
        }),
    ...(slippage === undefined
      ? {}
      : {
          slippage: {
            slips: true,
            distance: ({ symbol, buys, quantity, price, volume }) => {
              const side = buys ? 'buy' : 'sell';
              const fill = {
                symbol,
                side,
                quantity: quantity.toNumber(),
                price: price.toNumber(),
                volume,
              } as const;
              return checked('slippage', slippage(fill));
            },
          },
        }),
  };
}

/** Which models are a user's own, for the run's warning. */
export function customModelNames(costs: CustomCosts | undefined): string[] {
  return (['commission', 'slippage'] as const).filter((name) => costs?.[name] !== undefined);
}

function checked(what: 'commission' | 'slippage', answer: number | string | Decimal): Exact {
  const value = answer === '' || answer === null ? Number.NaN : Number(answer);
  if (value >= 0 && value <= MOST) return Exact.of(answer);
  throw new AppError({
    code: 'bad_cost_model',
    message: `The strategy's own ${what} model answered ${String(answer)}, which is no amount of money.`,
    hint: `Let it give a number from 0 to ${MOST}.`,
    kind: 'run',
  });
}
