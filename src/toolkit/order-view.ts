import type { AccountView } from '../broker/account/index.ts';
import type { Order } from '../broker/index.ts';
import { type BarContext, type Json, publishedData } from '../engine/index.ts';
import { decimal, formatInstant } from '../kernel/index.ts';
import type { PublishedTable } from '../sandbox/index.ts';

/** Returns the fields of an order that every list of orders shows. */
export function orderOutline(order: Order, symbols: readonly string[]): Record<string, Json> {
  return {
    order_id: order.id,
    symbol: symbols[order.symbol]!,
    action: order.action,
    order_type: order.type,
    quantity: order.size.kind === 'units' ? order.size.units.toString() : null,
    price: priceOrNull(order.limitPrice),
    stop_price: priceOrNull(order.stopPrice),
    // Filled quantity. `quantity` is the total of the order and includes this part.
    ...(order.filled.isZero() ? {} : { filled: order.filled.toString() }),
  };
}

/** Returns all fields of an order. Fields that do not apply are omitted. */
export function orderDetails(order: Order, symbols: readonly string[]): Record<string, Json> {
  const { size, trail, stopLoss, takeProfit, targets } = order;
  return {
    ...orderOutline(order, symbols),
    ...sizeDetails(size),
    ...(trail === undefined
      ? {}
      : 'amount' in trail
        ? { trail: trail.amount }
        : { trail_percent: percent(trail.fraction) }),
    ...(order.limitOffset === undefined ? {} : { limit_offset: order.limitOffset.toNumber() }),
    ...(Number.isNaN(order.activationPrice) ? {} : { activation_price: order.activationPrice }),
    ...(order.postOnly ? { post_only: true } : {}),
    ...(stopLoss === undefined ? {} : exitDetails('stop_loss', stopLoss)),
    ...(takeProfit === undefined ? {} : exitDetails('take_profit', takeProfit)),
    ...(targets === undefined ? {} : { take_profits: targets.map(targetDetails) }),
    filled: order.filled.toString(),
    role: order.role,
    ...(order.parentId === undefined ? {} : { exit_of: order.parentId }),
    placed_bar: order.placedBar,
    time_in_force: order.timeInForce,
    ...(Number.isFinite(order.barsLeft) ? { bars_left: order.barsLeft } : {}),
    ...(Number.isFinite(order.expiresAt) ? { good_till: formatInstant(order.expiresAt).slice(0, 10) } : {}),
    ...(order.triggered ? { triggered: true } : {}),
    ...(order.reduceOnly ? { reduce_only: true } : {}),
    ...(order.group === undefined ? {} : { group: order.group }),
    ...(order.reason === undefined ? {} : { reason: order.reason }),
  };
}

function sizeDetails(size: Order['size']): Record<string, Json> {
  switch (size.kind) {
    case 'notional':
      return { notional: size.notional.toString() };
    case 'equity-fraction':
      return { equity_percent: percent(size.fraction.toString()) };
    case 'target-units':
      return { target_quantity: size.units.toString() };
    case 'target-fraction':
      return { target_percent: percent(size.fraction.toString()) };
    default:
      return {};
  }
}

function exitDetails(
  name: 'stop_loss' | 'take_profit',
  level: NonNullable<Order['stopLoss']>,
): Record<string, Json> {
  if ('price' in level) return { [name]: Number(level.price) };
  const trails = level.trail === true ? { [`${name}_trails`]: true } : {};
  if ('distance' in level) return { [`${name}_distance`]: Number(level.distance), ...trails };
  return { [`${name}_percent`]: percent(String(level.fraction)), ...trails };
}

function targetDetails(target: NonNullable<Order['targets']>[number]): Record<string, Json> {
  const { share } = target;
  return {
    ...('price' in target
      ? { price: Number(target.price) }
      : 'distance' in target
        ? { distance: Number(target.distance) }
        : { percent: percent(String(target.fraction)) }),
    ...(share === undefined ? {} : { share_percent: percent(String(share)) }),
  };
}

function percent(fraction: number | string): number {
  return decimal(fraction).times(100).toNumber();
}

function priceOrNull(price: number): number | null {
  return Number.isNaN(price) ? null : price;
}

/** Names of order fields in `trade_execute`, by their names in the broker. */
const FIELDS: Readonly<Record<string, string>> = {
  limitPrice: 'price',
  stopPrice: 'stop_price',
  trailAmount: 'trail',
  trailFraction: 'trail_percent',
  equityFraction: 'equity_percent',
  targetQuantity: 'target_quantity',
  targetFraction: 'target_percent',
  timeInForce: 'time_in_force',
  goodTill: 'good_till',
  validBars: 'valid_bars',
  reduceOnly: 'reduce_only',
  stopLoss: 'stop_loss',
  takeProfit: 'take_profit',
  limitOffset: 'limit_offset',
  activationPrice: 'activation_price',
  postOnly: 'post_only',
};

/**
 * Replaces the broker's terms in the text of a rejection by the terms of `trade_execute`: the field names
 * of this tool, and percent instead of fractions.
 */
export function inToolWords(text: string): string {
  return text
    .replaceAll(
      /(\w+Fraction) (\d*\.\d+)/g,
      (_, name: string, value: string) => `${name} ${Number(value) * 100}`,
    )
    .replaceAll('trailFraction (between 0 and 1)', 'trailFraction (between 0 and 100)')
    .replaceAll(
      '{distance}, {fraction} below 1, or {atr}',
      'a percent of the fill, or a multiple of the average true range',
    )
    .replaceAll(/\btype (?=limit|stop|trailing_stop)/g, 'order_type ')
    .replaceAll(/\b[a-z]+[A-Z]\w+\b/g, (word) => FIELDS[word] ?? word);
}

export interface AccountSnapshot {
  readonly cash: number;
  readonly equity: number;
  readonly positions: Readonly<Record<string, { readonly size: number; readonly avg_price: number }>>;
}

/** Returns the account as agents see it: plain numbers and open positions only. */
export function accountSnapshot(account: AccountView): AccountSnapshot {
  return {
    cash: account.cash.toNumber(),
    equity: account.equity.toNumber(),
    positions: Object.fromEntries(
      account
        .positions()
        .map(({ symbol, quantity, averagePrice }) => [
          symbol,
          { size: quantity.toNumber(), avg_price: averagePrice.toNumber() },
        ]),
    ),
  };
}

/**
 * Published data that Python code may read: fundamentals, documents and the tradable symbols. Contains only
 * the kinds of data that the run has. Bars and features are sent separately.
 */
export interface Published {
  /** Fields of the request to Python: number of published rows by table, and the symbols tradable now. */
  readonly request: {
    readonly published?: Readonly<Record<string, number>>;
    readonly universe?: readonly string[];
  };
  /** Tables with all published rows. Only rows that the Python process has not received yet are sent. */
  readonly tables: readonly PublishedTable[];
}

/**
 * Returns the published data for one call of Python.
 *
 * @param isAsked returns true if the code may call the Python function with this name, for example
 *   `documents`. If false, the table of this function is not sent
 */
export function publishedRequest(turn: BarContext, isAsked: (name: string) => boolean): Published {
  const { fundamentals, universe, documents } = publishedData(turn);
  const tables: PublishedTable[] = [];
  if (fundamentals !== undefined && isAsked('fundamentals')) {
    const rowAt = (row: number): readonly Json[] => {
      const { symbol, field, periodEnd, availableAt, value } = fundamentals.rowAt(row);
      return [symbol, field, periodEnd, availableAt, value];
    };
    tables.push({ name: 'fundamentals', length: fundamentals.length, rowAt });
  }
  if (documents !== undefined && isAsked('documents')) {
    const rowAt = (row: number): readonly Json[] => {
      const { id, availableAt, symbols, source, kind, title, text } = documents.documentAt(row);
      return [id, availableAt, [...symbols], source, kind, title, text];
    };
    tables.push({ name: 'documents', length: documents.length, rowAt });
  }
  const published = Object.fromEntries(tables.map(({ name, length }) => [name, length]));
  return {
    request: {
      ...(tables.length === 0 ? {} : { published }),
      ...(universe !== undefined && isAsked('universe') ? { universe: [...universe()] } : {}),
    },
    tables,
  };
}
