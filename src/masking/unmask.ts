import type { RunEvent } from '../engine/index.ts';
import { decimal, decimalString } from '../kernel/index.ts';
import { type MaskView, realDate, type TimeKind, viewOf } from './mask-view.ts';

/** Number of significant digits of real values that are computed from masked values. */
const DIGITS = 12;

/**
 * Names of the fields of an event whose values a mask changes. Each kind of value is converted differently.
 */
interface Fields {
  readonly symbol?: readonly string[];
  readonly date?: readonly string[];
  /** Times at which data became visible. */
  readonly known?: readonly string[];
  /** Times within a bar, such as the times of finer bars. */
  readonly finer?: readonly string[];
  /** Quantities in units of the symbol. */
  readonly units?: readonly string[];
  /** Amounts in the account's currency. */
  readonly money?: readonly string[];
  /** Prices in the currency of the event's symbol. */
  readonly price?: readonly string[];
  /** Exchange rates: units of the account's currency per unit of the symbol's currency. */
  readonly rate?: readonly string[];
}

const ORDER: Fields = {
  symbol: ['symbol'],
  units: ['quantity', 'targetQuantity'],
  money: ['notional'],
  price: ['limitPrice', 'stopPrice', 'limitOffset', 'activationPrice'],
};
const TRADE: Fields = {
  symbol: ['symbol'],
  date: ['entryTime', 'exitTime'],
  units: ['quantity'],
  money: ['grossPnl', 'commission', 'netPnl', 'fxPnl'],
  price: ['entryPrice', 'exitPrice', 'lastPrice'],
  rate: ['entryRate', 'exitRate'],
};

const FIELDS: Readonly<Record<string, Fields>> = {
  bar: { date: ['date'], money: ['cash', 'equity'] },
  order_accepted: ORDER,
  order_adjusted: ORDER,
  order_cancelled: { symbol: ['symbol'] },
  order_rejected: { symbol: ['symbol'] },
  order_filled: {
    symbol: ['symbol'],
    finer: ['detailTime'],
    units: ['quantity', 'requestedQuantity'],
    money: ['commission', 'cash', 'gainIfOther'],
    price: ['price', 'priceBeforeSlippage'],
    rate: ['rate'],
  },
  risk_halted: { money: ['from', 'equity'] },
  cash_entry: {
    symbol: ['symbol'],
    finer: ['time'],
    units: ['quantity'],
    money: ['amount', 'cash', 'base'],
    price: ['perUnit'],
    rate: ['rate'],
  },
  split: {
    symbol: ['symbol'],
    units: ['quantityBefore', 'quantityAfter', 'leftOver'],
    money: ['cash'],
    price: ['price'],
  },
  rolled: { symbol: ['symbol'], units: ['quantity'], price: ['fromPrice', 'toPrice', 'gap'] },
  delisted: { symbol: ['symbol'], price: ['price'] },
  trade_closed: TRADE,
  run_finished: { money: ['commissionPaid'] },
} satisfies Partial<Record<RunEvent['type'], Fields>>;

type Loose = Readonly<Record<string, unknown>>;

/**
 * Returns a function that converts the events of a masked run to real symbols, dates, prices and money. Texts
 * that a tool or model received, and rejected orders, remain masked. Missing fields stay missing, so that
 * journals of other versions can also be converted.
 *
 * @param started first event of the journal
 */
export function unmasker(started: object): <Event extends object>(event: Event) => Event {
  const { mask, symbols } = started as { readonly mask?: unknown; readonly symbols?: readonly string[] };
  // Masks of an unknown version cannot be converted, so the events remain masked.
  const view = viewOf(mask);
  if (view === undefined) return (event) => event;
  const names = symbols ?? [];
  const order = names
    .map((_, index) => index)
    .sort((a, b) => compare(realName(names[a]!, view), realName(names[b]!, view)));
  return (event) => ({ ...event, ...changesOf(event as Loose, { names, order }, view) });
}

/** Masked symbols of a run. `order` contains indices into `names`, sorted by real symbol. */
interface Symbols {
  readonly names: readonly string[];
  readonly order: readonly number[];
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function realName(symbol: string, { symbols }: MaskView): string {
  return symbols[symbol] ?? symbol;
}

function changesOf(event: Loose, { names, order }: Symbols, mask: MaskView): Loose {
  if (event.type === 'run_started') return realStart(event, order, mask);
  const type = String(event.type);
  if (type === 'context_known') return realContext(event, mask);
  if (type === 'features_known' || type === 'fundamentals_known') return realRows(event, mask);
  if (type === 'documents_known') return realDocuments(event, mask);
  if (type === 'universe_changed') return realUniverse(event, mask);
  const fields = Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
  if (fields === undefined) return {};
  const real = realFields(event, fields, mask);
  if (type === 'run_finished') return { ...real, ...realEnd(event, mask) };
  if (type !== 'bar') return real;
  const bar = { ...real, ...realDoubt(event, mask) };
  if (!Array.isArray(event.prices)) return bar;
  const { prices } = event as { readonly prices: readonly unknown[] };
  if (prices.length !== names.length) return bar;
  return { ...bar, prices: order.map((index) => realBar(prices[index], names[index]!, mask)) };
}

function realFields(event: Loose, fields: Fields, mask: MaskView): Loose {
  const { symbol = [], money = [], units = [], price = [], rate = [] } = fields;
  const name = typeof event.symbol === 'string' ? event.symbol : '';
  const priceFactor = mask.price(name);
  const changes: Record<string, unknown> = {};
  const change = (names: readonly string[], of: (text: string) => string): void => {
    for (const field of names) {
      const value = event[field];
      if (typeof value === 'string') changes[field] = of(value);
    }
  };
  change(symbol, (text) => realName(text, mask));
  for (const [names, kind] of [
    [fields.date, 'stamps'],
    [fields.known, 'ends'],
    [fields.finer, 'inside'],
  ] as readonly (readonly [readonly string[] | undefined, TimeKind])[])
    change(names ?? [], (text) => realDate(text, mask, kind));
  change(money, (text) => realAmount(text, mask.money));
  change(units, (text) => timesExactly(text, mask.units(name)));
  change(price, (text) => realAmount(text, priceFactor));
  change(rate, (text) => realAmount(text, mask.rate(name)));
  return changes;
}

function realStart(event: Loose, order: readonly number[], mask: MaskView): Loose {
  const masked = event.settings as { readonly cash?: string } | undefined;
  // Masks in older journals do not contain the real settings. Only the real cash can be computed.
  const known = mask.terms.settings ?? { cash: realAmount(masked?.cash ?? '0', mask.money) };
  const names = (event.symbols as readonly string[] | undefined) ?? [];
  return {
    settings: { ...masked, ...(known as object) },
    symbols: order.map((index) => realName(names[index]!, mask)),
  };
}

function realRows({ rows }: Loose, mask: MaskView): Loose {
  if (!Array.isArray(rows)) return {};
  const fields: Fields = { symbol: ['symbol'], date: ['date', 'periodEnd'], known: ['availableAt'] };
  return { rows: rows.map((row: Loose) => ({ ...row, ...realFields(row, fields, mask) })) };
}

function realContext({ series }: Loose, mask: MaskView): Loose {
  if (!Array.isArray(series)) return {};
  const fields: Fields = { symbol: ['symbol'], date: ['date'], known: ['availableAt'] };
  return {
    series: series.map((one: Loose) => ({
      ...one,
      ...realFields(one, fields, mask),
      prices: realBar(one.prices, String(one.symbol), mask),
    })),
  };
}

/** Converts the fields of documents except for their texts, which remain masked. */
function realDocuments({ documents }: Loose, mask: MaskView): Loose {
  if (!Array.isArray(documents)) return {};
  return {
    documents: documents.map((one: Loose) => ({
      ...one,
      ...realFields(one, { known: ['availableAt'] }, mask),
      ...(Array.isArray(one.symbols) ? { symbols: realNames(one.symbols, mask) } : {}),
    })),
  };
}

function realUniverse({ entered, left }: Loose, mask: MaskView): Loose {
  return {
    ...(Array.isArray(entered) ? { entered: realNames(entered, mask) } : {}),
    ...(Array.isArray(left) ? { left: realNames(left, mask) } : {}),
  };
}

function realNames(names: readonly unknown[], { symbols }: MaskView): unknown[] {
  return names.map((name) => symbols[String(name)] ?? name);
}

function realDoubt({ ambiguity, bounds }: Loose, mask: MaskView): Loose {
  const { worse, better } = (ambiguity ?? {}) as { readonly worse?: string; readonly better?: string };
  const kinds = Object.entries((bounds ?? {}) as Loose);
  return {
    ...(worse === undefined || better === undefined
      ? {}
      : {
          ambiguity: {
            worse: realAmount(worse, mask.money),
            better: realAmount(better, mask.money),
          },
        }),
    ...(kinds.length === 0
      ? {}
      : {
          bounds: Object.fromEntries(kinds.map(([symbol, kind]) => [mask.symbols[symbol] ?? symbol, kind])),
        }),
  };
}

function realEnd(event: Loose, mask: MaskView): Loose {
  const { openTrades, ambiguity, insolvency } = event as {
    readonly openTrades?: readonly Loose[];
    readonly insolvency?: { readonly equity: string };
    readonly ambiguity?: {
      readonly difference?: string;
      readonly finalEquity: { readonly worse: string; readonly better: string };
    };
  };
  return {
    ...(openTrades === undefined
      ? {}
      : {
          openTrades: openTrades
            .map((trade): Loose => ({ ...trade, ...realFields(trade, TRADE, mask) }))
            .sort((a, b) => compare(String(a.symbol), String(b.symbol)))
            // Trade ids are assigned in the order of symbols. The trades are now sorted by real symbol, so
            // the ids are assigned again.
            .map((trade, index) => ({ ...trade, id: openTrades[index]!.id })),
        }),
    ...(insolvency === undefined
      ? {}
      : { insolvency: { ...insolvency, equity: realAmount(insolvency.equity, mask.money) } }),
    ...(ambiguity === undefined
      ? {}
      : {
          ambiguity: {
            ...ambiguity,
            ...(ambiguity.difference === undefined
              ? {}
              : { difference: realAmount(ambiguity.difference, mask.money) }),
            finalEquity: {
              worse: realAmount(ambiguity.finalEquity.worse, mask.money),
              better: realAmount(ambiguity.finalEquity.better, mask.money),
            },
          },
        }),
  };
}

const AMOUNT = /^-?\d+(?:\.\d+)?$/;

function realAmount(amount: string, factor: string): string {
  return factor === '1' || !AMOUNT.test(amount)
    ? amount
    : decimalString(decimal(amount).dividedBy(factor).toSignificantDigits(DIGITS));
}

/**
 * Multiplies without rounding. Otherwise the sum of partial purchases could differ from the sum of partial
 * sales.
 */
function timesExactly(amount: string, factor: string): string {
  return factor === '1' || !AMOUNT.test(amount) ? amount : decimalString(decimal(amount).times(factor));
}

/** Converts the values of a bar: open, high, low, close and volume. */
function realBar(values: unknown, symbol: string, mask: MaskView): unknown {
  if (!Array.isArray(values)) return values;
  const price = mask.price(symbol);
  return values.map((value: unknown, column) => {
    const factor = column === 4 ? mask.volume(symbol) : price;
    if (factor === '1' || typeof value !== 'number') return value;
    return Number((value / Number(factor)).toPrecision(DIGITS));
  });
}
