import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BudgetLimit, type Meter, type ModelSpending, sharedBudgetStop } from '../../agents/index.ts';
import { reachedLimit, type SweepBudget } from '../budget/meter.ts';
import { openRequestsOf, spentOf } from './announced-sweeps.ts';
import type { QueueConnection } from './redis.ts';

/**
 * Interval in milliseconds at which a waiting model request checks the budget again. Near the end of a
 * budget, requests wait until the usage of earlier requests is known.
 */
const WAIT = 200;
/** Seconds after which an unanswered request counts as lost, because its worker has probably ended. */
const LOST_AFTER = 900;

/**
 * Redis script that checks the budget and registers a new model request, in one atomic step. Returns `go`,
 * `wait`, or the name of the exhausted limit.
 *
 * The usage of each unanswered request is estimated as the largest usage of any request so far. A new request
 * waits if the estimated total exceeds a limit. The first request runs alone, because no usage is known yet.
 */
const ASK = `
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[5])
local open = redis.call('ZCARD', KEYS[2])
local wait = false
for place, name in ipairs({ 'calls', 'tokens', 'usd' }) do
  local most = tonumber(ARGV[place])
  if most ~= nil then
    local spent = tonumber(redis.call('HGET', KEYS[1], name) or '0')
    if spent >= most then return name end
    if name ~= 'calls' and open > 0 then
      local largest = tonumber(redis.call('HGET', KEYS[1], 'largest_' .. name) or '')
      if largest == nil or spent + (open + 1) * largest > most then wait = true end
    end
  end
end
if wait then return 'wait' end
redis.call('HINCRBY', KEYS[1], 'calls', 1)
redis.call('ZADD', KEYS[2], ARGV[6], ARGV[4])
return 'go'`;

const PAID = `
redis.call('ZREM', KEYS[2], ARGV[1])
for place, name in ipairs({ 'tokens', 'usd' }) do
  local amount = ARGV[place + 1]
  redis.call('HINCRBYFLOAT', KEYS[1], name, amount)
  local largest = tonumber(redis.call('HGET', KEYS[1], 'largest_' .. name) or '0')
  if tonumber(amount) >= largest then redis.call('HSET', KEYS[1], 'largest_' .. name, amount) end
end
return 'done'`;

/**
 * Redis script that raises the usage stored in Redis to the usage that the coordinator has recorded on disk.
 * If Redis loses its data, the usage would otherwise start at 0 again, and the budget could be spent twice.
 */
const RAISE = `
for place, name in ipairs({ 'calls', 'tokens', 'usd' }) do
  if tonumber(redis.call('HGET', KEYS[1], name) or '0') < tonumber(ARGV[place]) then
    redis.call('HSET', KEYS[1], name, ARGV[place])
  end
end
return 'done'`;

/** Meter that counts the model usage of a sweep's trials on all machines together. */
export class QueueMeter implements Meter {
  readonly #connection: QueueConnection;
  readonly #budget: SweepBudget;
  readonly #keys: readonly [string, string];
  readonly #open: string[] = [];

  constructor(connection: QueueConnection, sweep: string, budget: SweepBudget) {
    this.#connection = connection;
    this.#budget = budget;
    this.#keys = [spentOf(sweep), openRequestsOf(sweep)];
  }

  async ask(): Promise<void> {
    const { calls = '', tokens = '', usd = '' } = this.#budget;
    const id = randomUUID();
    for (;;) {
      const now = Math.floor(Date.now() / 1_000);
      const answer = await this.#run(ASK, calls, tokens, usd, id, now, now + LOST_AFTER);
      if (answer === 'go') break;
      if (answer !== 'wait') {
        const limit = answer as Exclude<BudgetLimit, 'seconds'>;
        throw sharedBudgetStop(limit, this.#budget[limit]!);
      }
      await sleep(WAIT);
    }
    this.#open.push(id);
  }

  async paid(tokens: number, usd: number): Promise<void> {
    // The list has one entry for each unanswered request of this process. Any entry can be removed, because
    // only the number of entries matters.
    await this.#run(PAID, this.#open.shift() ?? '', tokens, usd);
  }

  async spent(): Promise<ModelSpending> {
    const { calls = '0', tokens = '0', usd = '0' } = await this.#connection.redis.hgetall(this.#keys[0]);
    return { calls: Number(calls), tokens: Number(tokens), usd: Number(usd) };
  }

  async reached(): Promise<Exclude<BudgetLimit, 'seconds'> | undefined> {
    return reachedLimit(this.#budget, await this.spent());
  }

  async raise({ calls, tokens, usd }: ModelSpending): Promise<void> {
    await this.#run(RAISE, calls, tokens, usd);
  }

  #run(script: string, ...values: (string | number)[]): Promise<unknown> {
    return this.#connection.redis.eval(script, 2, ...this.#keys, ...values);
  }
}
