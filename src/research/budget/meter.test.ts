import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type ModelSpending, SHARED_BUDGET_SPENT, sharedBudgetStop } from '../../agents/index.ts';
import {
  budgetReached,
  budgetSpent,
  channelMeter,
  LocalMeter,
  mostSpent,
  NOTHING_SPENT,
  reachedLimit,
  serveMeter,
} from './meter.ts';

const spent = (calls: number, tokens: number, usd: number): ModelSpending => ({ calls, tokens, usd });
const STOP = { code: SHARED_BUDGET_SPENT, outcome: 'budget_exhausted' };

it('the first limit that is reached is reported', () => {
  const budget = { calls: 3, tokens: 100, usd: 2 };
  expect(reachedLimit(budget, spent(2, 99, 1.99))).toBeUndefined();
  expect(reachedLimit(budget, spent(3, 100, 2))).toBe('calls');
  expect(reachedLimit(budget, spent(0, 100, 2))).toBe('tokens');
  expect(reachedLimit(budget, spent(0, 0, 2))).toBe('usd');
  expect(reachedLimit({}, spent(9, 9, 9))).toBeUndefined();
});

it('the larger of two amounts is used for calls, tokens and dollars separately', () => {
  expect(mostSpent(spent(1, 9, 3), spent(2, 8, 4))).toEqual(spent(2, 9, 4));
  expect(mostSpent(spent(3, 8, 5), spent(2, 9, 4))).toEqual(spent(3, 9, 5));
});

it('the error of an exhausted budget states the limit and the number of finished trials', () => {
  expect(NOTHING_SPENT).toEqual(spent(0, 0, 0));
  const reached = budgetReached({ calls: 7, tokens: 90 }, 'calls');
  expect(reached.message).toContain('7 calls');
  expect(budgetReached({ calls: 7, tokens: 90 }, 'tokens').message).toContain('90 tokens');
  expect(budgetSpent(reached, 'reports/x', 12)).toMatchObject({
    code: 'budget_spent',
    message: `${reached.message} 12 trials are finished and saved in reports/x.`,
  });
});

describe('a budget that all trials share', () => {
  const meterOf = (...[budget, before = NOTHING_SPENT]: [object, ModelSpending?]) => {
    const seen: ModelSpending[] = [];
    return { meter: new LocalMeter(budget, before, (now) => void seen.push(now)), seen };
  };

  it('of calls is exact, and includes earlier processes', async () => {
    const { meter, seen } = meterOf({ calls: 4 }, spent(2, 10, 1));
    await meter.ask();
    await meter.ask();
    await expect(meter.ask()).rejects.toMatchObject(STOP);
    await meter.paid(5, 0.5);
    expect(seen).toEqual([spent(3, 10, 1), spent(4, 10, 1), spent(4, 15, 1.5)]);
  });

  it.each(['tokens', 'usd'] as const)(
    'of %s allows a request only if one as large as the largest so far fits',
    async (limit) => {
      const { meter, seen } = meterOf({ [limit]: 120 });
      const pay = (amount: number) => (limit === 'tokens' ? meter.paid(amount, 0) : meter.paid(0, amount));
      const asked = () => {
        const state = { isDone: false };
        const done = meter.ask().then(() => {
          state.isDone = true;
        });
        return Object.assign(done, { state });
      };
      // No request has been paid yet, so the expected size of a request is unknown. The second request
      // therefore waits until the first request is paid.
      await meter.ask();
      const second = asked();
      await sleep(120);
      expect(second.state.isDone).toBe(false);
      await pay(40);
      await second;
      // 40 of 120 are spent. The second and third request may use 40 each, which exhausts the limit. The
      // fourth request must wait.
      await meter.ask();
      const fourth = asked();
      await pay(10);
      await sleep(120);
      expect(fourth.state.isDone).toBe(false);
      await pay(20);
      await fourth;
      // 70 of 120 are spent, and the fourth request is unpaid. It may use up to 40. The remaining 10 are too
      // little for another request.
      const last = expect(meter.ask()).rejects.toMatchObject(STOP);
      await pay(20);
      await last;
      expect(seen.at(-1)).toEqual(limit === 'tokens' ? spent(4, 90, 0) : spent(4, 0, 90));
    },
  );
});

describe('a request near the end of a budget', () => {
  const meterOf = (budget: object, before = NOTHING_SPENT) => new LocalMeter(budget, before, () => undefined);

  it('is allowed if it may use exactly the rest of the budget', async () => {
    const meter = meterOf({ tokens: 100 });
    await meter.ask();
    await meter.paid(50, 1);
    await meter.ask();
    await meter.paid(0, 0);
    await meter.ask();
    await meter.paid(1, 0);
    await expect(meter.ask()).rejects.toMatchObject(STOP);
  });

  it('is expected to be as large as the largest request, not as the last', async () => {
    const meter = meterOf({ usd: 10 });
    await meter.ask();
    await meter.paid(0, 6);
    await expect(meter.ask()).rejects.toMatchObject(STOP);
    const other = meterOf({ usd: 10 });
    for (const usd of [3, 1, 2]) {
      await other.ask();
      await other.paid(0, usd);
    }
    await other.ask();
    await other.paid(0, 1);
    await other.ask();
  });

  it('is refused if earlier processes used up the budget', async () => {
    await expect(meterOf({ tokens: 5 }, spent(0, 5, 0)).ask()).rejects.toMatchObject(STOP);
    await expect(meterOf({ tokens: 5, usd: 1 }, spent(9, 4, 1)).ask()).rejects.toMatchObject(STOP);
    await expect(meterOf({ tokens: 5 }, spent(9, 4, 9)).ask()).resolves.toBeUndefined();
  });
});

describe('a meter of another thread', () => {
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  it('forwards requests and payments, and returns errors', async () => {
    const seen: unknown[] = [];
    let error: Error | undefined;
    const answer = (what: unknown): Promise<void> => {
      seen.push(what);
      return error === undefined ? Promise.resolve() : Promise.reject(error);
    };
    const served = serveMeter({ ask: () => answer('ask'), paid: (...amounts) => answer(amounts) });
    open.push(served);
    const [one, other] = [channelMeter(served.name), channelMeter(served.name)];
    await Promise.all([one.ask(), other.ask()]);
    await one.paid(7, 0.5);
    expect(seen).toEqual(['ask', 'ask', [7, 0.5]]);
    error = sharedBudgetStop('tokens', 5);
    await expect(one.ask()).rejects.toMatchObject({ ...STOP, message: error.message });
    error = new Error('no disk');
    await expect(other.paid(1, 1)).rejects.toMatchObject({
      ...{ code: 'budget_unknown', outcome: 'stopped', message: 'no disk' },
    });
    expect(serveMeter({ ask: () => answer(''), paid: () => answer('') }).name).not.toBe(served.name);
  });
});
