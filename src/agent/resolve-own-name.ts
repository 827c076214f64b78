/** A module hook: lets a strategy file anywhere on the machine import `sandtable`, and gives it the copy that runs it. */
import type { InitializeHook, ResolveHook } from 'node:module';

let own = '';

export const initialize: InitializeHook<{ url: string }> = ({ url }) => {
  own = url;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) =>
  specifier === 'sandtable'
    ? { url: own, format: 'module', shortCircuit: true }
    : nextResolve(specifier, context);
