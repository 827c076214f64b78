import type { RunEvent } from '../engine/index.ts';
import { decimal, decimalString } from '../kernel/index.ts';
import { type MaskView, realDate, type TimeKind, viewOf } from './mask-view.ts';

/** Significant digits of what is divided by a factor. */
const DIGITS = 12;

/** What the fields of an event are, as far as a mask changes them. */
interface Fields {
  readonly symbol?: readonly string[];
  readonly date?: readonly string[];
  /** When something was known. */
  readonly known?: readonly string[];
  /** Of a finer bar. */
  readonly finer?: readonly string[];
  /** Of the symbol. */
  readonly units?: readonly string[];
  /** In the account's currency. */
  readonly money?: readonly string[];
  /** In the currency of the event's symbol. */
  readonly price?: readonly string[];
  /** Account currency a unit of the symbol's. */
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
 * What turns the events of a masked run into those of the market as it really was: symbols, dates, prices and money.
 * What a tool, a model or a refused order was shown stays as it was shown. Fields that an event lacks stay away, so that
 * journals of other versions can be read too.
 *
 * @param started the journal's first event
 */
export function unmasker(started: object): <Event extends object>(event: Event) => Event {
  const { mask, symbols } = started as { readonly mask?: unknown; readonly symbols?: readonly string[] };
  // A journal of another version may say it otherwise: then nothing is undone.
  const view = viewOf(mask);
  if (view === undefined) return (event) => event;
  const names = symbols ?? [];
  const order = names
    .map((_, index) => index)
    .sort((a, b) => compare(realName(names[a]!, view), realName(names[b]!, view)));
  return (event) => ({ ...event, ...changesOf(event as Loose, { names, order }, view) });
}

/** The symbols of a run, and their order by their real names. */
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
  // Journals of before hold no settings in the mask: of them the cash is known.
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

/** Their words stay as they were shown. */
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
            // They are numbered in the order of the symbols.
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

/** Never rounded: what was bought in pieces is sold in pieces. */
function timesExactly(amount: string, factor: string): string {
  return factor === '1' || !AMOUNT.test(amount) ? amount : decimalString(decimal(amount).times(factor));
}

/** Open, high, low, close and volume. */
function realBar(values: unknown, symbol: string, mask: MaskView): unknown {
  if (!Array.isArray(values)) return values;
  const price = mask.price(symbol);
  return values.map((value: unknown, column) => {
    const factor = column === 4 ? mask.volume(symbol) : price;
    if (factor === '1' || typeof value !== 'number') return value;
    return Number((value / Number(factor)).toPrecision(DIGITS));
  });
}
