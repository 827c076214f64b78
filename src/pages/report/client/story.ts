import { grouped, percent } from '../../shared/number-formats.ts';
import { element } from '../../trace/client/folding.ts';
import type { ChartFill, DecidedBar, FilledOrder, PageData, TradeRow } from '../model/page-data.ts';
import { dateText } from '../model/range.ts';
import { returnOf } from '../model/tiles.ts';
import { linked, traceLink } from './readout.ts';

/**
 * Returns the history of a trade: the reasons for entry and exit, the bars on which its orders were placed
 * with their prices and texts, and the events of these orders.
 */
export function storyOf(data: PageData, row: TradeRow): HTMLElement {
  const symbol = data.symbols[row.symbol] ?? '';
  const places = data.rowPlaces[row.symbol] ?? { price: 2, quantity: 0 };
  const price = (value: number): string => grouped(value, places.price);
  const because = (reason: string): string => (reason === '' ? 'without a reason' : `because: ${reason}`);
  const opening = row.side === 'long' ? 'buy' : 'sell';
  const entries = fillsAt(data, row.symbol, row.entryBar, opening);
  const exits =
    row.exitBar === null ? [] : fillsAt(data, row.symbol, row.exitBar, opening === 'buy' ? 'sell' : 'buy');
  const end =
    row.exitTime === null
      ? `Still open at the end, at ${price(row.exitPrice)}`
      : `Out ${dateText(row.exitTime)} at ${price(row.exitPrice)}, ${because(row.reason)}`;
  return element(
    'div',
    { class: 'story' },
    element(
      'p',
      {},
      element(
        'strong',
        {},
        `Trade ${row.id}: ${row.side} ${grouped(row.quantity, places.quantity)} ${symbol}`,
      ),
      ` Net ${grouped(row.net)}, ${percent(returnOf(row))} of the entry; at worst ${percent(row.adverse, 1)}, at best ${percent(row.favourable, 1)}.`,
    ),
    element(
      'div',
      { class: 'columns' },
      side(
        data,
        'In',
        `In ${dateText(row.entryTime)} at ${price(row.entryPrice)}, ${because(row.entryReason)}.`,
        entries,
        row.entryBar,
      ),
      side(data, 'Out', `${end}.`, exits, row.exitBar),
    ),
  );
}

function side(
  data: PageData,
  title: string,
  text: string,
  fills: readonly ChartFill[],
  bar: number | null,
): HTMLElement {
  const seen = new Set<number>();
  const orders = fills.flatMap(({ orderId }) => {
    const order = data.orders.find(({ id }) => id === orderId);
    if (order === undefined || seen.has(order.id)) return [];
    seen.add(order.id);
    return [order];
  });
  const placed = [...new Set(orders.map((order) => order.bar))];
  return element(
    'section',
    { 'aria-label': title },
    element(
      'p',
      {},
      text,
      linked(traceLink(data, bar, `the bar of the ${title === 'In' ? 'entry' : 'exit'}`)),
    ),
    orders.map((order) => orderLife(data, order)),
    placed.map((one) => decision(data, one, fills[0]?.symbol ?? 0)),
  );
}

/** Returns the events of an order, from its placement to its last fill or cancellation. */
function orderLife(data: PageData, order: FilledOrder): HTMLElement {
  const own = data.fills.filter(({ orderId }) => orderId === order.id);
  const places = data.places[own[0]?.symbol ?? 0] ?? 2;
  const filled = own.map(({ bar, quantity, price, ambiguous }) => ({
    time: data.times[Math.floor(bar / data.barsPerPoint)] ?? 0,
    text: `filled ${quantity} at ${grouped(price, places)}${ambiguous ? ' (ambiguous: not in every outcome of the bar)' : ''}`,
  }));
  const steps: { time: number; text: string }[] = [
    ...filled,
    ...data.orderEvents.filter(({ id }) => id === order.id),
  ];
  return element(
    'ol',
    { class: 'life' },
    element(
      'li',
      {},
      element('b', {}, dateText(order.time)),
      ` ${order.role === '' ? 'ordered' : order.role}: ${order.text}`,
      linked(traceLink(data, order.bar, 'how it was decided')),
    ),
    steps
      .sort((a, b) => a.time - b.time)
      .map(({ time, text }) => element('li', {}, element('b', {}, dateText(time)), ` ${text}`)),
  );
}

/**
 * Returns the prices of the bar on which an order was placed, and the texts and tool calls that were recorded
 * on this bar.
 */
function decision(data: PageData, bar: number, symbol: number): HTMLElement {
  const point = Math.floor(bar / data.barsPerPoint);
  const prices = data.prices[symbol];
  const places = data.places[symbol] ?? 2;
  const value = (column: readonly (number | null)[] | undefined): string =>
    grouped(column?.[point] ?? null, places);
  const told: DecidedBar | undefined = data.decided.find((one) => one.bar === bar);
  const candle =
    prices === undefined
      ? ''
      : ` open ${value(prices.open)}, high ${value(prices.high)}, low ${value(prices.low)}, close ${value(prices.close)}`;
  return element(
    'div',
    { class: 'decided' },
    element(
      'p',
      {},
      element('b', {}, 'Decided at the close of'),
      ` ${dateText(data.times[point] ?? 0)}:${candle}`,
    ),
    told === undefined || told.words === '' ? null : element('blockquote', {}, told.words),
    told?.calls.map((call) =>
      element('pre', { tabindex: '0', 'aria-label': 'A tool call and its answer' }, call),
    ),
  );
}

function fillsAt(data: PageData, symbol: number, bar: number, way: string): ChartFill[] {
  return data.fills.filter((fill) => fill.bar === bar && fill.symbol === symbol && fill.side === way);
}
