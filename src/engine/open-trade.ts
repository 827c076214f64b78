import type { Trade } from '../account/index.ts';
import { currencyPart, multiplierPart } from '../broker/index.ts';
import { decimalString, formatInstant } from '../kernel/index.ts';
import type { OpenTradeRecord } from './events.ts';

/** A trade that is open at a run's end, as `run_finished` lists it. */
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
