import { decimalString, EXACT_ONE, Exact, formatInstant, type Numeric } from '../../kernel/index.ts';
import { isAtPar, type Ledger, type Trade, tradeTexts } from '../account/index.ts';
import type { BrokerEvent } from '../events.ts';

/** Returns the additional fields of a trade in another currency. */
export function currencyPart(
  trade: Trade,
): { readonly entryRate: string; readonly exitRate: string; readonly fxPnl: string } | undefined {
  if (isAtPar(trade)) return undefined;
  return {
    entryRate: decimalString(trade.entryRate),
    exitRate: decimalString(trade.exitRate),
    fxPnl: decimalString(trade.fxPnl),
  };
}

/** Returns the additional field of an event for an instrument with a contract multiplier. */
export function multiplierPart(multiplier: Numeric): { readonly multiplier: string } | undefined {
  const exact = Exact.of(multiplier);
  return exact.equals(EXACT_ONE) ? undefined : { multiplier: exact.toString() };
}

/** Returns the additional fields for a symbol with an exchange rate or a multiplier. */
export function termsPart(
  symbol: number,
  ledger: Ledger,
): { readonly rate?: string; readonly multiplier?: string } {
  const isOwn = ledger.currencyOf(symbol) === ledger.currency;
  return {
    ...(isOwn ? {} : { rate: ledger.rateOf(symbol).toString() }),
    ...multiplierPart(ledger.contractOf(symbol).multiplier),
  };
}

/** Returns the event of a closed trade. */
export function tradeClosed(trade: Trade, bar: number): BrokerEvent {
  const texts = tradeTexts(trade);
  return {
    type: 'trade_closed',
    bar,
    id: trade.id,
    symbol: trade.symbol,
    side: trade.side,
    quantity: texts.quantity,
    entryBar: trade.entryBar,
    entryTime: formatInstant(trade.entryTime),
    entryPrice: texts.entryPrice,
    exitTime: formatInstant(trade.exitTime ?? 0),
    exitPrice: texts.exitPrice,
    grossPnl: texts.grossPnl,
    commission: texts.commission,
    netPnl: texts.netPnl,
    exitReason: trade.exitReason ?? '',
    ...multiplierPart(trade.multiplier),
    ...(trade.ambiguous === true ? { ambiguous: true } : {}),
    ...currencyPart(trade),
  };
}
