import { After, AfterAll, Before, Status } from '@cucumber/cucumber';
import { closePython, preparePython } from './python.ts';
import type { TradingWorld } from './world.ts';

Before(function (this: TradingWorld, { pickle }) {
  this.spawns = pickle.tags.some(({ name }) => name === '@spawn');
  this.computes = pickle.tags.some(({ name }) => name === '@python');
});

// The first use on a machine downloads and compiles Python.
Before({ tags: '@python', timeout: 600_000 }, async () => preparePython());

// Hooks run in reverse order, so this hook cleans up even if the check below fails.
After(async function (this: TradingWorld) {
  await this.tidy();
});

After(function (this: TradingWorld, { result }) {
  if (result?.status !== Status.SKIPPED) this.problems.check();
});

AfterAll(async () => closePython());
