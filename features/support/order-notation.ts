import type { ExitLevel, OrderRequest, RebalanceRequest, TargetLevel } from '../../src/broker/index.ts';

/** Instruction of a trader to the broker at the close of a bar. */
export type Instruction =
  | { readonly kind: 'place'; readonly request: OrderRequest }
  | { readonly kind: 'rebalance'; readonly request: RebalanceRequest }
  | { readonly kind: 'cancel'; readonly orderId: number }
  | { readonly kind: 'replace'; readonly orderId: number; readonly changes: Partial<OrderRequest> };

type Clause = readonly [pattern: RegExp, read: (found: readonly string[]) => Partial<OrderRequest>];

const NUMBER = '(-?[0-9][0-9.]*)';
/** Price, `4 away`, `5%`, `2 atr` or `2 atr(10)`. */
const LEVEL = `${NUMBER}( away|%| atr\\((?:[0-9]+)\\)| atr)?`;
const clause = (words: string, read: Clause[1]): Clause => [new RegExp(`^${words}(?= |$)`), read];
const percent = (text = ''): number => Number(text) / 100;

/** Exit of a part of the position, for example `50% at 105` or `rest at 110`. */
const TARGET = '(?:[0-9.]+%|rest) at [0-9.]+(?: away|%)?';

function readTarget(text: string): TargetLevel {
  const [share, level = ''] = text.split(' at ');
  const [, amount = '', unit] = /^([0-9.]+)( away|%)?$/.exec(level) ?? [];
  return {
    ...exitLevel(amount, unit),
    ...(share === 'rest' ? {} : { share: percent(share?.replace('%', '')) }),
  };
}

/** Beginning of an order: side and size. */
const BEGINNINGS: readonly Clause[] = [
  clause(`buy ${NUMBER}% of equity`, ([share]) => ({ action: 'buy', equityFraction: percent(share) })),
  clause(`sell ${NUMBER}% of equity`, ([share]) => ({ action: 'sell', equityFraction: percent(share) })),
  clause(`buy \\$${NUMBER}`, ([notional]) => ({ action: 'buy', notional })),
  clause(`sell \\$${NUMBER}`, ([notional]) => ({ action: 'sell', notional })),
  clause(`buy ${NUMBER}`, ([quantity]) => ({ action: 'buy', quantity })),
  clause(`sell ${NUMBER}`, ([quantity]) => ({ action: 'sell', quantity })),
  clause('close', () => ({ action: 'close' })),
  clause(`target ${NUMBER}% of equity`, ([share]) => ({ action: 'target', targetFraction: percent(share) })),
  clause(`target ${NUMBER}`, ([targetQuantity]) => ({ action: 'target', targetQuantity })),
];

/** Optional clauses, in any order. */
const CLAUSES: readonly Clause[] = [
  clause('of ([A-Z]+)', ([symbol]) => ({ symbol })),
  clause(`stop ${NUMBER} limit ${NUMBER}`, ([stopPrice, limitPrice]) => ({
    type: 'stop_limit',
    stopPrice,
    limitPrice,
  })),
  clause(`touch ${NUMBER} limit ${NUMBER}`, ([stopPrice, limitPrice]) => ({
    type: 'limit_if_touched',
    stopPrice,
    limitPrice,
  })),
  clause(`touch ${NUMBER}`, ([stopPrice]) => ({ type: 'market_if_touched', stopPrice })),
  clause(`limit ${NUMBER} on open`, ([limitPrice]) => ({ type: 'limit_on_open', limitPrice })),
  clause(`limit ${NUMBER} on close`, ([limitPrice]) => ({ type: 'limit_on_close', limitPrice })),
  clause(`trail ${NUMBER} limit ${NUMBER} beyond`, ([trailAmount, limitOffset]) => ({
    type: 'trailing_stop_limit',
    trailAmount,
    limitOffset,
  })),
  clause(`from ${NUMBER}`, ([activationPrice]) => ({ activationPrice })),
  clause('post-only', () => ({ postOnly: true })),
  clause(`limit ${NUMBER}`, ([limitPrice]) => ({ type: 'limit', limitPrice })),
  clause(`stop ${NUMBER}`, ([stopPrice]) => ({ type: 'stop', stopPrice })),
  clause(`trail ${NUMBER}%`, ([share]) => ({ type: 'trailing_stop', trailFraction: percent(share) })),
  clause(`trail ${NUMBER}`, ([trailAmount]) => ({ type: 'trailing_stop', trailAmount })),
  clause('on open', () => ({ type: 'market_on_open' })),
  clause('on close', () => ({ type: 'market_on_close' })),
  clause('valid ([0-9]+) bars?', ([bars]) => ({ validBars: Number(bars) })),
  clause('day', () => ({ timeInForce: 'DAY' })),
  clause('until ([-0-9T:]+)', ([goodTill]) => ({ timeInForce: 'GTD', goodTill })),
  clause('ioc', () => ({ timeInForce: 'IOC' })),
  clause('fok', () => ({ timeInForce: 'FOK' })),
  clause('reduce-only', () => ({ reduceOnly: true })),
  clause(`stop-loss ${LEVEL} trailing`, ([amount = '', unit]) => ({
    stopLoss: { ...exitLevel(amount, unit), trail: true } as ExitLevel,
  })),
  clause(`targets (${TARGET}(?:, ${TARGET})*)`, ([list = '']) => ({
    takeProfit: list.split(', ').map(readTarget),
  })),
  clause(`stop-loss ${LEVEL}`, ([amount = '', unit]) => ({ stopLoss: exitLevel(amount, unit) })),
  clause(`take-profit ${LEVEL}`, ([amount = '', unit]) => ({ takeProfit: exitLevel(amount, unit) })),
  clause('group ([a-z]+)', ([group]) => ({ group })),
  clause('because ([a-z]+)', ([reason]) => ({ reason })),
];

/**
 * Parses an order in the notation of the tables.
 *
 * @example `buy 10 limit 99.5 valid 3 bars`, `sell 25% of equity stop 90 of ZINC`, `cancel #1`, `replace #1
 * with limit 98`, `rebalance ACME 45%, ZINC -10% cash 5% tolerance 1% keeping others`
 * @throws Error that quotes the unreadable words
 */
export function readInstruction(text: string): Instruction {
  const rebalance =
    /^rebalance ([A-Z]+ -?[0-9.]+%(?:, [A-Z]+ -?[0-9.]+%)*)(?: cash ([0-9.]+)%)?(?: tolerance ([0-9.]+)%)?( keeping others)?$/.exec(
      text,
    );
  if (rebalance !== null) {
    const [, list = '', cash, tolerance, keeps] = rebalance;
    const weights = list.split(', ').map((each): [string, number] => {
      const [symbol = '', share] = each.split(' ');
      return [symbol, percent(share?.replace('%', ''))];
    });
    const request: RebalanceRequest = {
      weights: Object.fromEntries(weights),
      ...(cash === undefined ? {} : { cash: percent(cash) }),
      ...(tolerance === undefined ? {} : { tolerance: percent(tolerance) }),
      ...(keeps === undefined ? {} : { others: 'keep' }),
    };
    return { kind: 'rebalance', request };
  }
  const cancel = /^cancel #(\d+)$/.exec(text);
  if (cancel !== null) return { kind: 'cancel', orderId: Number(cancel[1]) };
  const replace = /^replace #(\d+) with (.+)$/.exec(text);
  if (replace !== null) {
    const changes = readClauses(replace[2]!, text, {}, [
      clause(`quantity ${NUMBER}`, ([quantity]) => ({ quantity })),
      ...CLAUSES,
    ]);
    return { kind: 'replace', orderId: Number(replace[1]), changes };
  }
  const { read, rest } = take(text, text, BEGINNINGS);
  return { kind: 'place', request: readClauses(rest, text, read, CLAUSES) as OrderRequest };
}

function readClauses(
  words: string,
  text: string,
  start: Partial<OrderRequest>,
  clauses: readonly Clause[],
): Partial<OrderRequest> {
  let request = start;
  for (let rest = words; rest !== ''; ) {
    const taken = take(rest, text, clauses);
    request = { ...request, ...taken.read };
    rest = taken.rest;
  }
  return request;
}

function take(
  words: string,
  text: string,
  clauses: readonly Clause[],
): { readonly read: Partial<OrderRequest>; readonly rest: string } {
  for (const [pattern, read] of clauses) {
    const found = pattern.exec(words);
    if (found !== null) return { read: read(found.slice(1)), rest: words.slice(found[0].length).trim() };
  }
  throw new Error(
    `The order "${text}" cannot be read from "${words}" on; see features/support/order-notation.ts.`,
  );
}

function exitLevel(amount: string, unit = ''): ExitLevel {
  if (unit === '%') return { fraction: percent(amount) };
  if (unit === ' away') return { distance: amount };
  if (unit === '') return { price: amount };
  const length = /\d+/.exec(unit)?.[0];
  return { atr: Number(amount), ...(length === undefined ? {} : { length: Number(length) }) };
}
