import type { Trade } from '../../broker/account/index.ts';
import { currencyPart, multiplierPart } from '../../broker/index.ts';
import { decimalString, formatInstant } from '../../kernel/index.ts';
import type { OpenTradeRecord } from '../events/events.ts';

/** Returns a trade that is open at the end of a run in the format of `run_finished`. */
export function openTradeRecord(trade: Trade): OpenTradeRecord {
  return {
    id: trade.id,
    symbol: trade.symbol,
    side: trade.side,
    quantity: decimalString(trade.quantity),
    entryBar: trade.entryBar,
    entryTime: formatInstant(trade.entryTime),
    entryPrice: decimalString(trade.entryPrice),
    lastPrice: decimalString(trade.exitPrice),
    grossPnl: decimalString(trade.grossPnl),
    commission: decimalString(trade.commission),
    netPnl: decimalString(trade.netPnl),
    ...(trade.ambiguous === true ? { ambiguous: true } : {}),
    ...multiplierPart(trade.multiplier),
    ...currencyPart(trade),
  };
}
