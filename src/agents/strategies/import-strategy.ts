import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { placeIn } from '../../engine/index.ts';
import { AppError, thrownText } from '../../kernel/index.ts';
import { build } from '../esbuild.ts';
import { ownAddress, registerOwnName } from './register-own-name.ts';
import { isStrategy, type Strategy } from './strategy.ts';

/** Code whose meaning depends on the location of its file. Such code cannot be moved into a bundle. */
const BOUND_TO_ITS_PLACE = /\bimport\.meta\b|\bimport\s*\(|\brequire\b|\b__dirname\b|\b__filename\b/;

/**
 * Marks Sandtable and other packages as external, by their URLs. Files of the strategy's folder are bundled.
 */
const packagesByAddress: Plugin = {
  name: 'packages-by-address',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === packagesByAddress) return undefined;
      if (isBuiltin(path)) return { path, external: true };
      const own = ownAddress(path);
      if (own !== undefined) return { path: own, external: true };
      const found = await builder.resolve(path, { kind, resolveDir, pluginData: packagesByAddress });
      const isPackage = found.errors.length === 0 && /[\\/]node_modules[\\/]/.test(found.path);
      return isPackage ? { path: pathToFileURL(found.path).href, external: true } : found;
    });
  },
};

/**
 * Bundles a code file with the files that it imports from its folder, and imports the bundle as one module.
 * This takes an eighth of the time of compiling each file in a loader.
 *
 * @returns function that imports the bundle. `undefined` if the code does not compile or depends on its
 *   location
 */
async function bundledModule(file: string): Promise<(() => Promise<unknown>) | undefined> {
  const code = await bundled(resolve(file)).catch(() => undefined);
  if (code === undefined || BOUND_TO_ITS_PLACE.test(code.text)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sandtable-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  const place = join(folder, 'strategy.mjs');
  try {
    await writeFile(place, code.text + code.map);
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  // Stack traces show the line numbers of the original files.
  process.setSourceMapsEnabled(true);
  return async () => {
    try {
      return (await import(/* @vite-ignore */ pathToFileURL(place).href)) as unknown;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function bundled(file: string): Promise<{ readonly text: string; readonly map: string }> {
  const folder = dirname(file);
  const { outputFiles } = await build({
    entryPoints: [file],
    absWorkingDir: folder,
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // Leaves only the conditions that Node uses to choose among a package's files.
    conditions: [],
    keepNames: true,
    legalComments: 'none',
    sourcemap: 'external',
    sourceRoot: `${pathToFileURL(folder).href}/`,
    sourcesContent: false,
    logLevel: 'silent',
    plugins: [packagesByAddress],
  });
  const textOf = (ending: string): string =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const map = Buffer.from(textOf('.map')).toString('base64');
  return {
    text: textOf('.js'),
    map: `//# sourceMappingURL=data:application/json;base64,${map}\n`,
  };
}

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
    message: `${file} has no default export from defineStrategy.`,
    hint: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
  });
}
