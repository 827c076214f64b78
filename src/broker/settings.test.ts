import { describe, expect, it } from 'vitest';
import { commissionSchema } from './cost-schema.ts';

const tiers = (...from: number[]) =>
  commissionSchema.safeParse({ model: 'tiered', tiers: from.map((one) => ({ from: one, rate: 0.001 })) });

describe('a commission by tiers', () => {
  it('begins at 0 and rises', () => {
    expect(tiers(0, 1000, 2000).error).toBeUndefined();
  });

  it.each([[[1, 2]], [[0, 0]], [[0, 2000, 1000]], [[5]]])('of %j is refused', (from) => {
    expect(tiers(...from).error?.message).toContain('tiers begin at 0 and rise');
  });
});
