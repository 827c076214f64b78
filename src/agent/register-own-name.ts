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

/** This folder in the compiled program. */
function compiledFolder(): string {
  return new URL('.', import.meta.url).href.replace(/\/src\/agent\/$/, '/dist/agent/');
}

/** Where `sandtable`, or one of its parts, lies; undefined for a name that is not ours. */
export function ownAddress(name: string): string | undefined {
  return ownModule(name, new URL('../', compiledFolder()).href)?.url;
}

/** What a strategy file gets that imports `sandtable`, or one of its parts. */
export async function ownLibrary(name: string): Promise<unknown> {
  return (await import(/* @vite-ignore */ ownAddress(name) ?? name)) as unknown;
}

/** Makes `sandtable` in a strategy file mean this program; where Node deprecates `register`, without it. */
export function registerOwnName(): void {
  const here = compiledFolder();
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
