import * as nodeModule from 'node:module';
import { builtPlace } from '../../kernel/index.ts';
import { asModule, packageModule } from './package-imports.ts';

/**
 * Function `registerHooks` of `node:module`, available from Node 22.15 and 23.5 on. The installed types
 * describe the oldest supported Node and therefore lack it.
 */
interface SyncHooks {
  readonly registerHooks?: (hooks: {
    readonly resolve: (
      specifier: string,
      context: nodeModule.ResolveHookContext,
      nextResolve: (specifier: string, context?: nodeModule.ResolveHookContext) => nodeModule.ResolveFnOutput,
    ) => nodeModule.ResolveFnOutput;
  }) => unknown;
}

/** Returns the URL of `sandtable` or one of its entry points. `undefined` for other names. */
export function ownAddress(name: string): string | undefined {
  return packageModule(name, builtPlace('').href)?.url;
}

/** Imports `sandtable` or one of its entry points on behalf of a strategy file. */
export async function ownLibrary(name: string): Promise<unknown> {
  return (await import(/* @vite-ignore */ ownAddress(name) ?? name)) as unknown;
}

/**
 * Makes imports of `sandtable` in strategy files resolve to this program. Uses `register` only in older
 * versions of Node, because newer versions deprecate it.
 */
export function registerOwnName(): void {
  const program = builtPlace('').href;
  const { registerHooks } = nodeModule as SyncHooks;
  if (registerHooks === undefined) {
    nodeModule.register(builtPlace('agents/strategies/resolve-own-name.js'), { data: { program } });
    return;
  }
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      packageModule(specifier, program) ?? asModule(nextResolve(specifier, context)),
  });
}
