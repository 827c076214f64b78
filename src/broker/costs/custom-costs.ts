import { AppError, type Decimal, Exact } from '../../kernel/index.ts';
import type { CostModels } from './costs.ts';

/** Inputs of a custom commission model for one fill, in plain numbers. */
export interface CommissionedFill {
  readonly symbol: string;
  /** Units, positive. */
  readonly quantity: number;
  /** Price per unit, including slippage. */
  readonly price: number;
  /** Money per point of the price. 1 for a share. */
  readonly multiplier: number;
  /** True if a resting order was filled at its limit. */
  readonly maker: boolean;
  /** Notional traded in the run before this fill, in account currency. */
  readonly tradedBefore: number;
  /** Order of the fill. `undefined` if commission is estimated before an order is accepted. */
  readonly order:
    | { readonly id: number; readonly type: string; readonly reason: string | undefined }
    | undefined;
  /**
   * Units of the order filled earlier, and the commission charged for them. With these numbers, a model can
   * charge a minimum only once per order.
   */
  readonly filledBefore: number;
  readonly paidBefore: number;
}

/** Inputs of a custom slippage model for a market or stop fill, in plain numbers. */
export interface SlippedFill {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Units, positive. */
  readonly quantity: number;
  /** Price by the fill rules, before slippage. */
  readonly price: number;
  /** Volume of the bar, in units. */
  readonly volume: number;
}

/**
 * Custom cost models. Omitted models are taken from the settings.
 *
 * Both functions must be pure: the same fill must always have the same result, regardless of earlier calls.
 * They are called several times per fill to find affordable quantities, and also for possible fills that are
 * never booked. Commission must not decrease as the quantity grows.
 */
export interface CustomCosts {
  /**
   * Returns the commission of a fill, in the symbol's currency. `filledBefore` and `paidBefore` contain the
   * totals of the order's earlier fills.
   */
  readonly commission?: (fill: CommissionedFill) => number | string | Decimal;
  /** Returns the price move against the trader, in money per unit. The bar's high and low limit the price. */
  readonly slippage?: (fill: SlippedFill) => number | string | Decimal;
}

/** Largest number that a custom cost model may return. */
const MOST = 1e15;

/** Converts custom cost functions with plain numbers to the broker's cost models with exact numbers. */
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

/** Returns the names of the custom models. A run with custom models lists them in a warning. */
export function customModelNames(costs: CustomCosts | undefined): string[] {
  return (['commission', 'slippage'] as const).filter((name) => costs?.[name] !== undefined);
}

function checked(what: 'commission' | 'slippage', answer: number | string | Decimal): Exact {
  const value = answer === '' || answer === null ? Number.NaN : Number(answer);
  if (value >= 0 && value <= MOST) return Exact.of(answer);
  throw new AppError({
    code: 'bad_cost_model',
    message: `The custom ${what} model of the strategy returned ${String(answer)}, which is not an amount of money.`,
    hint: `Return a number from 0 to ${MOST}.`,
    kind: 'run',
  });
}
