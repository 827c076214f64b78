import { expect, it } from 'vitest';
import { costMultiples } from './capacity.ts';

/** Commission step that lowers the return from one value to another. */
const commission = (returnBefore: number, returnAfter: number) => [
  { name: 'Commission', returnBefore, returnAfter },
];

it('computes a break-even multiple if costs were paid and the return before costs is positive', () => {
  expect(costMultiples(commission(0.5, 0.25))).toEqual({
    steps: [
      { multiple: 0, totalReturn: 0.5 },
      { multiple: 1, totalReturn: 0.25 },
      { multiple: 2, totalReturn: 0 },
      { multiple: 5, totalReturn: -0.75 },
    ],
    breakEven: 2,
  });
});

it.each([
  ['no cost was paid', 0.5, 0.5],
  ['the return before costs is zero', 0, -0.25],
  ['the return before costs is negative', -0.25, -0.5],
])('computes no break-even multiple if %s', (_case, before, after) => {
  expect(costMultiples(commission(before, after))!.breakEven).toBeNull();
});
