import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { placeIn } from '../engine/index.ts';
import { AppError, thrownText } from '../kernel/index.ts';
import { bundledModule } from './bundled-import.ts';
import { registerOwnName } from './register-own-name.ts';
import { isStrategy, type Strategy } from './strategy.ts';

let preparing: Promise<void> | undefined;

// Strategies are TypeScript and import `sandtable`, wherever they lie: tsx compiles those that are not one bundle, our
// hook finds us.
function prepareImports(): Promise<void> {
  preparing ??= prepare();
  return preparing;
}

async function prepare(): Promise<void> {
  const { register: registerTypeScript } = await import('tsx/esm/api');
  registerTypeScript();
  registerOwnName();
}

/** How often this process has loaded each file. */
const loads = new Map<string, number>();

/** Where a file is imported from: anew each time, as it is now and without what its module remembers. */
function freshAddress(file: string): string {
  const address = pathToFileURL(resolve(file));
  const before = loads.get(address.href) ?? 0;
  loads.set(address.href, before + 1);
  if (before > 0) address.search = `load=${before + 1}`;
  return address.href;
}

/**
 * Imports a file of code as it is now; what it imports itself may be of an earlier import.
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
    // What is read next is looked for where the run was asked for.
    if (process.cwd() !== folder) process.chdir(folder);
  }
}

/** Imports a strategy. @throws AppError `strategy_broken`, `not_a_strategy` */
export async function importStrategy(file: string): Promise<Strategy> {
  const loaded = await importFile(file);
  if (isStrategy(loaded.default)) return loaded.default;
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} has no default export made by defineStrategy.`,
    hint: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
  });
}
