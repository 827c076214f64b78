import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sharedIsHere } from '../../../test/missing.ts';
import { Exchange } from '../../../test/support/exchange.ts';
import type { OrderRequest } from '../orders/request.ts';

const FILE = fileURLToPath(new URL('../../../../shared/oracles/paths/cases.json', import.meta.url));
const hasCases = sharedIsHere(FILE);

interface OracleOrder {
  readonly side: 'buy' | 'sell';
  readonly type: 'market' | 'limit' | 'stop';
  readonly price?: number;
  readonly sl?: number;
  readonly tp?: number;
  readonly group?: string;
}

interface OracleCase {
  readonly bar: readonly [number, number, number, number];
  readonly orders: readonly OracleOrder[];
  readonly worse: number;
  readonly better: number;
}

function requestOf({ side, type, price, sl, tp, group }: OracleOrder): OrderRequest {
  return {
    action: side,
    quantity: 10,
    type,
    limitPrice: type === 'limit' ? price : undefined,
    stopPrice: type === 'stop' ? price : undefined,
    stopLoss: sl,
    takeProfit: tp,
    group,
  };
}

function answerOf({ bar, orders }: OracleCase, resolve: 'worst' | 'best'): { worse: number; better: number } {
  const exchange = new Exchange(
    { ACME: [[100, 100, 100, 100], bar] },
    { cash: '100000', leverage: 10, resolve },
  );
  exchange.next();
  for (const order of orders) exchange.broker.submit(requestOf(order));
  exchange.next();
  const equity = Number(exchange.equity);
  const difference = exchange.broker.doubt.difference?.toNumber() ?? 0;
  return resolve === 'worst'
    ? { worse: equity, better: equity + difference }
    : { worse: equity - difference, better: equity };
}

describe.skipIf(!hasCases)('the cases of an independent search over every path', () => {
  const cases = hasCases ? (JSON.parse(readFileSync(FILE, 'utf8')) as OracleCase[]) : [];

  it.each(cases.map((one, index) => [index, one] as const))('case %i', (_index, one) => {
    const { worse, better } = one;
    expect(answerOf(one, 'worst')).toEqual({ worse, better });
    expect(answerOf(one, 'best')).toEqual({ worse, better });
  });
});
