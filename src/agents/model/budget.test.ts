import { describe, expect, it } from 'vitest';
import { Spending } from './budget.ts';

describe('a budget', () => {
  it('is exhausted before a request that would exceed it', () => {
    const spent = new Spending(true);
    const add = (input: number): void => spent.add({ input, output: 0, cached: 0, reasoning: 0 }, '0.01');
    add(300);
    expect(spent.exceededByNext({ tokens: 600 })).toBe(undefined);
    add(200);
    expect(spent.exceededByNext({ tokens: 800 })).toBe(undefined);
    expect(spent.exceededByNext({ tokens: 799 })).toBe('tokens');
    expect(spent.exceededByNext({ usd: 0.03 })).toBe(undefined);
    expect(spent.exceededByNext({ usd: 0.029 })).toBe('usd');
  });
});
