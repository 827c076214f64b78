import * as nodeModule from 'node:module';
import { builtPlace } from '../kernel/index.ts';
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

/** Where `sandtable`, or one of its parts, lies; undefined for a name that is not ours. */
export function ownAddress(name: string): string | undefined {
  return ownModule(name, builtPlace('').href)?.url;
}

/** What a strategy file gets that imports `sandtable`, or one of its parts. */
export async function ownLibrary(name: string): Promise<unknown> {
  return (await import(/* @vite-ignore */ ownAddress(name) ?? name)) as unknown;
}

/** Makes `sandtable` in a strategy file mean this program; where Node deprecates `register`, without it. */
export function registerOwnName(): void {
  const program = builtPlace('').href;
  const { registerHooks } = nodeModule as SyncHooks;
  if (registerHooks === undefined) {
    nodeModule.register(builtPlace('agent/resolve-own-name.js'), { data: { program } });
    return;
  }
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      ownModule(specifier, program) ?? asModule(nextResolve(specifier, context)),
  });
}
