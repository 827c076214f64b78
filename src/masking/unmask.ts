import type { MaskTerms, RunEvent } from '../engine/index.ts';
import { DAY, decimal, decimalString, formatInstant, parseInstant } from '../kernel/index.ts';
import { priceFactorOf } from './mask.ts';

/** What the fields of an event are, as far as a mask changes them. */
interface Fields {
  readonly symbol?: readonly string[];
  readonly date?: readonly string[];
  /** In the account's currency. */
  readonly money?: readonly string[];
  /** In the currency of the event's symbol. */
  readonly price?: readonly string[];
  /** Account currency a unit of the symbol's. */
  readonly rate?: readonly string[];
}

const ORDER: Fields = {
  symbol: ['symbol'],
  money: ['notional'],
  price: ['limitPrice', 'stopPrice', 'limitOffset', 'activationPrice'],
};
const TRADE: Fields = {
  symbol: ['symbol'],
  date: ['entryTime', 'exitTime'],
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
    date: ['detailTime'],
    money: ['commission', 'cash', 'gainIfOther'],
    price: ['price', 'priceBeforeSlippage'],
    rate: ['rate'],
  },
  risk_halted: { money: ['from', 'equity'] },
  cash_entry: {
    symbol: ['symbol'],
    date: ['time'],
    money: ['amount', 'cash', 'base'],
    price: ['perUnit'],
    rate: ['rate'],
  },
  split: { symbol: ['symbol'], money: ['cash'], price: ['price'] },
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
  const { mask, symbols } = started as { readonly mask?: MaskTerms; readonly symbols?: readonly string[] };
  // A journal of another version may say it otherwise: then nothing is undone.
  if (typeof mask?.symbols !== 'object' || typeof mask.priceFactor !== 'string') return (event) => event;
  const names = symbols ?? [];
  return (event) => ({ ...event, ...changesOf(event as Loose, names, mask) });
}

function changesOf(event: Loose, names: readonly string[], mask: MaskTerms): Loose {
  if (event.type === 'run_started') return realStart(event, mask);
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
  return {
    ...bar,
    prices: event.prices.map((values: unknown, index) => realBar(values, names[index], mask)),
  };
}

function realFields(event: Loose, fields: Fields, mask: MaskTerms): Loose {
  const { symbol = [], date = [], money = [], price = [], rate = [] } = fields;
  const name = typeof event.symbol === 'string' ? event.symbol : '';
  const priceFactor = priceFactorOf(mask, name);
  const changes: Record<string, unknown> = {};
  const change = (names: readonly string[], of: (text: string) => string): void => {
    for (const field of names) {
      const value = event[field];
      if (typeof value === 'string') changes[field] = of(value);
    }
  };
  change(symbol, (text) => mask.symbols[text] ?? text);
  change(date, (text) => realDate(text, mask));
  change(money, (text) => realAmount(text, mask.priceFactor));
  change(price, (text) => realAmount(text, priceFactor));
  if (priceFactor !== mask.priceFactor)
    change(rate, (text) => realAmount(text, decimal(mask.priceFactor).dividedBy(priceFactor).toString()));
  return changes;
}

function realStart(event: Loose, mask: MaskTerms): Loose {
  const masked = event.settings as { readonly cash?: string } | undefined;
  // Journals of before hold no settings in the mask: of them the cash is known.
  const known = mask.settings ?? { cash: realAmount(masked?.cash ?? '0', mask.priceFactor) };
  return {
    settings: { ...masked, ...(known as object) },
    symbols: ((event.symbols as readonly string[] | undefined) ?? []).map(
      (symbol) => mask.symbols[symbol] ?? symbol,
    ),
  };
}

function realRows({ rows }: Loose, mask: MaskTerms): Loose {
  if (!Array.isArray(rows)) return {};
  const fields: Fields = { symbol: ['symbol'], date: ['date', 'periodEnd', 'availableAt'] };
  return { rows: rows.map((row: Loose) => ({ ...row, ...realFields(row, fields, mask) })) };
}

function realContext({ series }: Loose, mask: MaskTerms): Loose {
  if (!Array.isArray(series)) return {};
  const fields: Fields = { symbol: ['symbol'], date: ['date', 'availableAt'] };
  return {
    series: series.map((one: Loose) => ({
      ...one,
      ...realFields(one, fields, mask),
      prices: realBar(one.prices, String(one.symbol), mask),
    })),
  };
}

/** Their words stay as they were shown. */
function realDocuments({ documents }: Loose, mask: MaskTerms): Loose {
  if (!Array.isArray(documents)) return {};
  return {
    documents: documents.map((one: Loose) => ({
      ...one,
      ...realFields(one, { date: ['availableAt'] }, mask),
      ...(Array.isArray(one.symbols) ? { symbols: realNames(one.symbols, mask) } : {}),
    })),
  };
}

function realUniverse({ entered, left }: Loose, mask: MaskTerms): Loose {
  return {
    ...(Array.isArray(entered) ? { entered: realNames(entered, mask) } : {}),
    ...(Array.isArray(left) ? { left: realNames(left, mask) } : {}),
  };
}

function realNames(names: readonly unknown[], { symbols }: MaskTerms): unknown[] {
  return names.map((name) => symbols[String(name)] ?? name);
}

function realDoubt({ ambiguity, bounds }: Loose, mask: MaskTerms): Loose {
  const { worse, better } = (ambiguity ?? {}) as { readonly worse?: string; readonly better?: string };
  const kinds = Object.entries((bounds ?? {}) as Loose);
  return {
    ...(worse === undefined || better === undefined
      ? {}
      : {
          ambiguity: {
            worse: realAmount(worse, mask.priceFactor),
            better: realAmount(better, mask.priceFactor),
          },
        }),
    ...(kinds.length === 0
      ? {}
      : {
          bounds: Object.fromEntries(kinds.map(([symbol, kind]) => [mask.symbols[symbol] ?? symbol, kind])),
        }),
  };
}

function realEnd(event: Loose, mask: MaskTerms): Loose {
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
      : { openTrades: openTrades.map((trade) => ({ ...trade, ...realFields(trade, TRADE, mask) })) }),
    ...(insolvency === undefined
      ? {}
      : { insolvency: { ...insolvency, equity: realAmount(insolvency.equity, mask.priceFactor) } }),
    ...(ambiguity === undefined
      ? {}
      : {
          ambiguity: {
            ...ambiguity,
            ...(ambiguity.difference === undefined
              ? {}
              : { difference: realAmount(ambiguity.difference, mask.priceFactor) }),
            finalEquity: {
              worse: realAmount(ambiguity.finalEquity.worse, mask.priceFactor),
              better: realAmount(ambiguity.finalEquity.better, mask.priceFactor),
            },
          },
        }),
  };
}

function realAmount(amount: string, factor: string): string {
  return factor === '1' || !/^-?\d+(?:\.\d+)?$/.test(amount)
    ? amount
    : decimalString(decimal(amount).dividedBy(factor));
}

/** Open, high, low, close and volume. */
function realBar(values: unknown, symbol: string | undefined, mask: MaskTerms): unknown {
  if (!Array.isArray(values)) return values;
  const priceFactor = priceFactorOf(mask, symbol ?? '');
  return values.map((value: unknown, column) => {
    const factor = column === 4 ? mask.volumeFactor : priceFactor;
    return factor === '1' || typeof value !== 'number' ? value : decimal(value).dividedBy(factor).toNumber();
  });
}

/** A date of the masked world as it really was; what is no date stays. */
export function realDate(text: string, { days }: Pick<MaskTerms, 'days'>): string {
  const instant = parseInstant(text);
  return instant === undefined || days === 0 ? text : formatInstant(instant - days * DAY);
}
