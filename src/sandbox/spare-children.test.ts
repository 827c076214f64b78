import { expect, test } from 'vitest';
import type { SandboxChild } from './child-process.ts';
import { SpareChildren } from './spare-children.ts';

/** Creates starts that end when the test ends them. */
function starts(): {
  readonly begin: () => Promise<SandboxChild>;
  readonly end: () => Promise<void>;
  readonly count: () => number;
} {
  const waiting: (() => void)[] = [];
  let count = 0;
  return {
    begin() {
      count += 1;
      return new Promise((resolve) => waiting.push(() => resolve({} as SandboxChild)));
    },
    async end() {
      waiting.shift()?.();
      for (let tick = 0; tick < 4; tick++) await Promise.resolve();
    },
    count: () => count,
  };
}

test('one spare in quiet times, up to two more while children are lost', async () => {
  const { begin, end, count } = starts();
  const spares = new SpareChildren(1, begin, new AbortController().signal);
  spares.fill();
  expect(count()).toBe(1);
  spares.noteLoss();
  spares.noteLoss();
  spares.noteLoss();
  // At most two at a time, because each start uses more than one core.
  expect(count()).toBe(2);
  await end();
  expect(count()).toBe(3);
  await end();
  await end();
  expect(count()).toBe(3);
  expect(spares.take()).toBeDefined();
  spares.fill();
  expect(count()).toBe(4);
});

test('none where none are wanted, and none once the sandbox closes', () => {
  const { begin, count } = starts();
  const none = new SpareChildren(0, begin, new AbortController().signal);
  none.noteLoss();
  const ending = new AbortController();
  ending.abort();
  new SpareChildren(2, begin, ending.signal).fill();
  expect(count()).toBe(0);
});
