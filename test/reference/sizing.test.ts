import { expect, it } from 'vitest';
import { randomSizing, sizingFault } from './sizing-fuzz.ts';

it('sizes by a share of the equity are the largest that buying power carries, from dust to millions', async () => {
  for (let seed = 0; seed < 1_500; seed++) expect((await sizingFault(randomSizing(seed))) ?? '').toBe('');
});
