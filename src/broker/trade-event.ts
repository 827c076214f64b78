import type { Trade } from '../account/index.ts';
import { decimalString, formatInstant, ONE } from '../kernel/index.ts';
import type { BrokerEvent } from './events.ts';

/** What a trade in another currency tells beside the rest. */
export function currencyPart(
  trade: Trade,
): { readonly entryRate: string; readonly exitRate: string; readonly fxPnl: string } | undefined {
  if (trade.entryRate.equals(ONE) && trade.exitRate.equals(ONE)) return undefined;
  return {
    entryRate: decimalString(trade.entryRate),
    exitRate: decimalString(trade.exitRate),
    fxPnl: decimalString(trade.fxPnl),
  };
}

/** The journal's line of a closed trade. */
export function tradeClosed(trade: Trade, bar: number): BrokerEvent {
  return {
    type: 'trade_closed',
    bar,
    id: trade.id,
    symbol: trade.symbol,
    side: trade.side,
    quantity: decimalString(trade.quantity),
    entryBar: trade.entryBar,
    entryTime: formatInstant(trade.entryTime),
    entryPrice: decimalString(trade.entryPrice),
    exitTime: formatInstant(trade.exitTime ?? 0),
    exitPrice: decimalString(trade.exitPrice),
    grossPnl: decimalString(trade.grossPnl),
    commission: decimalString(trade.commission),
    netPnl: decimalString(trade.netPnl),
    exitReason: trade.exitReason ?? '',
    ...(trade.ambiguous === true ? { ambiguous: true } : {}),
    ...currencyPart(trade),
  };
}
