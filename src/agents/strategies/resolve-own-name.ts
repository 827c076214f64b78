/**
 * Module hooks that resolve `sandtable` in strategy files, for Node before 22.15. These versions run hooks in
 * a separate thread. See `register-own-name.ts` for later versions.
 */
import type { InitializeHook, ResolveHook } from 'node:module';
import { asModule, packageModule } from './package-imports.ts';

let program = '';

export const initialize: InitializeHook<{ program: string }> = (given) => {
  program = given.program;
};

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  return packageModule(specifier, program) ?? asModule(await nextResolve(specifier, context));
};
