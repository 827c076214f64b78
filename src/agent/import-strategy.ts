import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { placeIn } from '../engine/index.ts';
import { AppError, thrownText } from '../kernel/index.ts';
import { bundledModule } from './bundled-import.ts';
import { registerOwnName } from './register-own-name.ts';
import { isStrategy, type Strategy } from './strategy.ts';

let preparing: Promise<void> | undefined;

// Strategies are TypeScript files in any folder that import `sandtable`. tsx compiles those that cannot be
// bundled, and a module hook resolves `sandtable`.
function prepareImports(): Promise<void> {
  preparing ??= prepare();
  return preparing;
}

async function prepare(): Promise<void> {
  const { register: registerTypeScript } = await import('tsx/esm/api');
  registerTypeScript();
  registerOwnName();
}

/** Number of times this process has loaded each file. */
const loads = new Map<string, number>();

/**
 * Returns a new import URL on each call, so that Node reads the current file and creates new module state.
 */
function freshAddress(file: string): string {
  const address = pathToFileURL(resolve(file));
  const before = loads.get(address.href) ?? 0;
  loads.set(address.href, before + 1);
  if (before > 0) address.search = `load=${before + 1}`;
  return address.href;
}

/**
 * Imports the current version of a code file. Modules that it imports may come from an earlier import.
 *
 * @throws AppError `strategy_broken`
 */
export async function importFile(file: string): Promise<{ default?: unknown }> {
  const load = await bundledModule(file);
  if (load === undefined) await prepareImports();
  const folder = process.cwd();
  try {
    return (await (load?.() ?? import(/* @vite-ignore */ freshAddress(file)))) as { default?: unknown };
  } catch (cause) {
    throw new AppError({
      code: 'strategy_broken',
      message: `${file} cannot be loaded: ${thrownText(cause)}${placeIn(cause, file)}`,
      hint: 'Fix the file.',
      cause,
    });
  } finally {
    // A strategy's module may change the working directory. Later relative paths must resolve from the
    // original one.
    if (process.cwd() !== folder) process.chdir(folder);
  }
}

/**
 * Imports a strategy.
 *
 * @throws AppError `strategy_broken`, `not_a_strategy`
 */
export async function importStrategy(file: string): Promise<Strategy> {
  const loaded = await importFile(file);
  if (isStrategy(loaded.default)) return loaded.default;
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} has no default export made by defineStrategy.`,
    hint: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
  });
}
