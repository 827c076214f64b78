import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { numberRulesOf, settingAt } from './settings-flags.ts';

describe('a setting of a schema', () => {
  const schema = z.object({
    lookback: z.number().int().min(1).nullable().default(null).describe('bars to look back on'),
    risk: z.object({ limit: z.number().positive().max(3).optional().describe('the limit') }).default({}),
    silent: z.boolean().optional(),
  });

  it('is found through optional and default wrappers, with its description', () => {
    const { schema: number, description } = settingAt(schema, ['lookback']);
    expect(number).toBeInstanceOf(z.ZodNumber);
    expect(description).toBe('bars to look back on');
    expect(settingAt(schema, ['risk', 'limit']).description).toBe('the limit');
  });

  it('must exist and have a description', () => {
    expect(() => settingAt(schema, ['risk', 'limits'])).toThrow('unknown setting risk.limits');
    expect(() => settingAt(schema, ['silent'])).toThrow('the setting silent has no description');
  });

  it.each([
    [
      z.number().int().min(1),
      { min: 1, max: Number.POSITIVE_INFINITY, whole: true, above: false, below: false },
    ],
    [z.number().positive().max(3), { min: 0, max: 3, whole: false, above: true, below: false }],
    [z.number().min(0).lt(10), { min: 0, max: 10, whole: false, above: false, below: true }],
    [z.number().min(0).max(5).max(2), { min: 0, max: 2, whole: false, above: false, below: false }],
  ])('has the bounds of its number (%#)', (number, rules) => {
    expect(numberRulesOf(number)).toEqual(rules);
  });
});
