import type { BarValues, MaskTerms } from '../engine/index.ts';
import { DAY, decimal, decimalString, formatInstant, parseInstant } from '../kernel/index.ts';
import type { RunRecord } from './record.ts';

/**
 * A record as the market really was: symbols, dates, prices and money of a masked run in their own terms. What a tool or
 * a model was told stays as it was told.
 */
export function unmasked(record: RunRecord): RunRecord {
  const { mask } = record.started;
  if (mask === undefined) return record;
  const money = <Amount extends string | null | undefined>(amount: Amount): Amount =>
    (typeof amount === 'string' ? realAmount(amount, mask) : amount) as Amount;
  const symbol = <Name extends string | null>(name: Name): Name =>
    (name === null ? null : (mask.symbols[name] ?? name)) as Name;
  const date = (text: string): string => realDate(text, mask);
  const { started } = record;
  const settings = started.settings as { readonly cash?: string };
  const known = <Field extends string>(
    event: { readonly [key in Field]?: string },
    fields: readonly Field[],
  ): { [key in Field]?: string } =>
    Object.fromEntries(
      fields.flatMap((field) => (event[field] === undefined ? [] : [[field, money(event[field])]])),
    ) as { [key in Field]?: string };
  return {
    ...record,
    started: {
      ...started,
      settings: { ...(started.settings as object), cash: money(settings.cash ?? '0') },
      symbols: started.symbols.map(symbol),
    },
    bars: record.bars.map((bar) => ({
      ...bar,
      date: date(bar.date),
      cash: money(bar.cash),
      equity: money(bar.equity),
      ...(bar.prices === undefined ? {} : { prices: bar.prices.map((values) => realBar(values, mask)) }),
    })),
    orders: record.orders.map((order) => ({
      ...order,
      symbol: symbol(order.symbol),
      ...known(order, ['notional', 'limitPrice', 'stopPrice']),
    })),
    rejections: record.rejections.map((one) => ({ ...one, symbol: symbol(one.symbol) })),
    cancellations: record.cancellations.map((one) => ({ ...one, symbol: symbol(one.symbol) })),
    halts: record.halts.map((halt) => ({ ...halt, from: money(halt.from), equity: money(halt.equity) })),
    cashEntries: record.cashEntries.map((entry) => ({
      ...entry,
      ...(entry.symbol === undefined ? {} : { symbol: symbol(entry.symbol) }),
      amount: money(entry.amount),
      cash: money(entry.cash),
      ...known(entry, ['base']),
    })),
    fills: record.fills.map((fill) => ({
      ...fill,
      symbol: symbol(fill.symbol),
      price: money(fill.price),
      priceBeforeSlippage: money(fill.priceBeforeSlippage),
      commission: money(fill.commission),
      cash: money(fill.cash),
      ...known(fill, ['gainIfOther']),
    })),
    trades: record.trades.map((trade) => ({
      ...trade,
      symbol: symbol(trade.symbol),
      entryTime: date(trade.entryTime),
      exitTime: date(trade.exitTime),
      entryPrice: money(trade.entryPrice),
      exitPrice: money(trade.exitPrice),
      grossPnl: money(trade.grossPnl),
      commission: money(trade.commission),
      netPnl: money(trade.netPnl),
    })),
    openTrades: record.openTrades.map((trade) => ({
      ...trade,
      symbol: symbol(trade.symbol),
      entryTime: date(trade.entryTime),
      entryPrice: money(trade.entryPrice),
      lastPrice: money(trade.lastPrice),
      grossPnl: money(trade.grossPnl),
      commission: money(trade.commission),
      netPnl: money(trade.netPnl),
    })),
    commissionPaid: money(record.commissionPaid),
  };
}

function realAmount(amount: string, { priceFactor }: MaskTerms): string {
  return priceFactor === '1' ? amount : decimalString(decimal(amount).dividedBy(priceFactor));
}

function realBar(values: BarValues | null, { priceFactor, volumeFactor }: MaskTerms): BarValues | null {
  if (values === null || priceFactor === '1') return values;
  const real = (value: number, factor: string): number => decimal(value).dividedBy(factor).toNumber();
  const [open, high, low, close, volume] = values;
  return [
    real(open, priceFactor),
    real(high, priceFactor),
    real(low, priceFactor),
    real(close, priceFactor),
    real(volume, volumeFactor),
  ];
}

function realDate(text: string, { days }: MaskTerms): string {
  const instant = parseInstant(text);
  return instant === undefined || days === 0 ? text : formatInstant(instant - days * DAY);
}
