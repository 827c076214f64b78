/** A module hook: lets a strategy file anywhere on the machine import `sandtable`, and gives it the copy that runs it. */
import type { InitializeHook, ResolveHook } from 'node:module';

let own = '';

export const initialize: InitializeHook<{ url: string }> = ({ url }) => {
  own = url;
};

const STRATEGY_FILE = /\.[tj]s$/;

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  if (specifier === 'sandtable') return { url: own, format: 'module', shortCircuit: true };
  const resolved = await nextResolve(specifier, context);
  // A strategy is an ES module wherever it lies: a folder without "type": "module" must not make it CommonJS.
  const { url } = resolved;
  if (url.startsWith('file:') && STRATEGY_FILE.test(url) && !url.includes('/node_modules/'))
    return { ...resolved, format: 'module' };
  return resolved;
};
