import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { guardInstances, withKnownMembers } from './known-members.ts';

const made = (): Record<string, unknown> =>
  withKnownMembers({ window: 1, account: undefined }, 'turn', { context: { parameters: {}, compute: 1 } });

describe('an object with known members', () => {
  it('reports an unknown member with the nearest one and all others', () => {
    expect(() => made()['acount']).toThrow(
      'turn.acount does not exist. Did you mean turn.account? turn has window, account.',
    );
    expect(() => made()['bars']).toThrow('turn.bars does not exist. turn has window, account.');
    expect(() => made()['compute']).toThrow('Did you mean context.compute?');
  });

  it('can be read, listed, copied, awaited and printed as before', async () => {
    const object = made();
    expect([object['window'], object['account'], 'bars' in object]).toEqual([1, undefined, false]);
    expect(Object.keys(object)).toEqual(['window', 'account']);
    expect({ ...object }).toEqual({ window: 1, account: undefined });
    expect(await object).toBe(object);
    expect(JSON.stringify(object)).toBe('{"window":1}');
    expect(inspect(object)).toContain('window: 1');
    expect(String(object)).toBe('[object Object]');
    expect(Object.hasOwn(object, 'window')).toBe(true);
  });

  it('passes known members on to an object that is made from it', () => {
    const view = Object.create(made(), { record: { value: 2 } }) as Record<string, unknown>;
    expect([view['record'], view['window']]).toEqual([2, 1]);
    expect(() => view['bars']).toThrow('turn.bars does not exist.');
  });
});

describe('a class whose instances have known members', () => {
  class Pair {
    readonly one = 1;
    #two = 2;
    get two(): number {
      return this.#two;
    }
  }
  guardInstances(Pair, 'pair');
  const pair = (): Record<string, unknown> => new Pair() as unknown as Record<string, unknown>;

  it('reports an unknown member of an instance', () => {
    expect(() => pair()['twos']).toThrow(
      'pair.twos does not exist. Did you mean pair.two? pair has one, two.',
    );
  });

  it('has instances that can be read, awaited and printed as before', async () => {
    const instance = pair();
    expect([instance['one'], instance['two'], 'three' in instance]).toEqual([1, 2, false]);
    expect(instance).toBeInstanceOf(Pair);
    expect(await instance).toBe(instance);
    expect(JSON.stringify(instance)).toBe('{"one":1}');
    expect(inspect(instance)).toContain('one: 1');
    expect(String(instance)).toBe('[object Object]');
  });
});
