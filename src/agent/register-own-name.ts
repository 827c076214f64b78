import * as nodeModule from 'node:module';
import { asModule, ownModule } from './own-name.ts';

/** What `node:module` has from Node 22.15 and 23.5 on; the types are those of the oldest Node that is supported. */
interface SyncHooks {
  readonly registerHooks?: (hooks: {
    readonly resolve: (
      specifier: string,
      context: nodeModule.ResolveHookContext,
      nextResolve: (specifier: string, context?: nodeModule.ResolveHookContext) => nodeModule.ResolveFnOutput,
    ) => nodeModule.ResolveFnOutput;
  }) => unknown;
}

/** Makes `sandtable` in a strategy file mean this program; where Node deprecates `register`, without it. */
export function registerOwnName(): void {
  const here = new URL('.', import.meta.url).href.replace(/\/src\/agent\/$/, '/dist/agent/');
  const program = new URL('../', here).href;
  const { registerHooks } = nodeModule as SyncHooks;
  if (registerHooks === undefined) {
    nodeModule.register(new URL('./resolve-own-name.js', here), { data: { program } });
    return;
  }
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      ownModule(specifier, program) ?? asModule(nextResolve(specifier, context)),
  });
}
