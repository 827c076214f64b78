import { expect, it } from 'vitest';
import { inDepth } from '../support/depth.ts';
import { randomSizing, sizingFault } from './sizing-fuzz.ts';

it.runIf(inDepth(0))(
  'order sizes by a fraction of the equity are the largest that the buying power allows, for any amounts',
  async () => {
    for (let seed = 0; seed < 1_500; seed++) expect((await sizingFault(randomSizing(seed))) ?? '').toBe('');
  },
);
