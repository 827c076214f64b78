import { expect, it } from 'vitest';
import { readView, viewAddress } from './arrange.ts';

const KEYS = ['runId', 'sharpe', 'modelCost'];

it('stores a view in an address and reads it back', () => {
  const view = readView('', KEYS);
  expect(viewAddress(view)).toBe('');
  const other = {
    ...view,
    search: ' a&b ',
    key: 'sharpe',
    direction: -1,
    isGrouped: false,
    hidden: new Set(['tags', 'state']),
  } as const;
  const address = viewAddress(other);
  expect(address).toBe('?search=a%26b&sort=-sharpe&group=none&hide=tags%2Cstate');
  expect(readView(address, KEYS)).toEqual({ ...other, search: 'a&b' });
});

it('ignores an unknown column', () => {
  expect(readView('?sort=-nothing', KEYS)).toMatchObject({ key: 'runId', direction: -1 });
});
