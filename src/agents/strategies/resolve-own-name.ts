/** Module hooks of `own-name.ts` for Node before 22.15, which runs hooks in a separate thread. */
import type { InitializeHook, ResolveHook } from 'node:module';
import { asModule, ownModule } from './own-name.ts';

let program = '';

export const initialize: InitializeHook<{ program: string }> = (given) => {
  program = given.program;
};

export const resolve: ResolveHook = async (specifier, context, nextResolve) => {
  return ownModule(specifier, program) ?? asModule(await nextResolve(specifier, context));
};
