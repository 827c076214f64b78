import { isAtPar, type Ledger, type Trade, tradeTexts } from '../account/index.ts';
import { decimalString, EXACT_ONE, Exact, formatInstant, type Numeric } from '../kernel/index.ts';
import type { BrokerEvent } from './events.ts';

/** What a trade in another currency reports beside the rest. */
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

/** What a journal's line of an instrument with a contract multiplier has beside the rest. */
export function multiplierPart(multiplier: Numeric): { readonly multiplier: string } | undefined {
  const exact = Exact.of(multiplier);
  return exact.equals(EXACT_ONE) ? undefined : { multiplier: exact.toString() };
}

/** What a line of a symbol's money has beside the rest: its exchange rate and its multiplier, where it has them. */
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

/** The journal's line of a closed trade. */
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
