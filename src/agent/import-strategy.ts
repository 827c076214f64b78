import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { placeIn } from '../engine/index.ts';
import { AppError, thrownText } from '../kernel/index.ts';
import { registerOwnName } from './register-own-name.ts';
import { isStrategy, type Strategy } from './strategy.ts';

let typeScriptReady = false;

// Strategies are TypeScript and import `sandtable`, wherever they lie: tsx compiles them, our hook finds us.
async function prepareImports(): Promise<void> {
  if (typeScriptReady) return;
  typeScriptReady = true;
  const { register: registerTypeScript } = await import('tsx/esm/api');
  registerTypeScript();
  registerOwnName();
}

/**
 * Imports a file of code.
 *
 * @param again loads it anew, under this name
 * @throws AppError `strategy_broken`
 */
export async function importFile(file: string, again?: string): Promise<{ default?: unknown }> {
  await prepareImports();
  try {
    const address = pathToFileURL(resolve(file));
    if (again !== undefined) address.search = `again=${again}`;
    return (await import(/* @vite-ignore */ address.href)) as { default?: unknown };
  } catch (cause) {
    throw new AppError({
      code: 'strategy_broken',
      message: `${file} cannot be loaded: ${thrownText(cause)}${placeIn(cause, file)}`,
      remedy: 'Mend the file.',
      cause,
    });
  }
}

/** Imports a strategy. @throws AppError `strategy_broken`, `not_a_strategy` */
export async function importStrategy(file: string, again?: string): Promise<Strategy> {
  const loaded = await importFile(file, again);
  if (isStrategy(loaded.default)) return loaded.default;
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} has no default export made by defineStrategy.`,
    remedy: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
  });
}
