import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, BuildResult, Metafile, Plugin, SameShape } from 'esbuild';
import { placeIn } from '../../engine/index.ts';
import { AppError, childEnvironment, editDistance, thrownText } from '../../kernel/index.ts';
import { ownAddress, registerOwnName } from './register-own-name.ts';
import { isStrategy, type Strategy } from './strategy.ts';

/** Matches code whose meaning depends on the location of its file. Such code cannot be moved to a bundle. */
const BOUND_TO_ITS_PLACE = /\bimport\.meta\b|\bimport\s*\(|\brequire\b|\b__dirname\b|\b__filename\b/;

/**
 * Plugin for esbuild. Imports of Sandtable and other packages are replaced by the URLs of their files and not
 * bundled. Files of the strategy's folder are bundled.
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

/** Code file of a strategy. The path is relative to the strategy's folder, with `/` as the separator. */
export interface CodeFile {
  readonly file: string;
  readonly sha256: string;
}

/** Imported module with the files of its code. */
interface Imported {
  readonly module: { readonly default?: unknown };
  /**
   * Imported file and the files that it imports, without packages. Imports by a computed name are missing.
   */
  readonly files: readonly CodeFile[];
}

/**
 * Bundles a code file with the files that it imports from its folder. The bundle loads eight times as fast as
 * separate files that a loader compiles.
 *
 * @returns function that imports the bundle. `undefined` if the code does not compile or depends on its
 *   location
 */
async function bundledModule(code: Bundled): Promise<(() => Promise<unknown>) | undefined> {
  if (BOUND_TO_ITS_PLACE.test(code.text)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'sandtable-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  const place = join(folder, 'strategy.mjs');
  try {
    await writeFile(place, code.text + code.map);
  } catch {
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  // With source maps, stack traces show the line numbers of the original files.
  process.setSourceMapsEnabled(true);
  return async () => {
    try {
      return (await import(/* @vite-ignore */ pathToFileURL(place).href)) as unknown;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

interface Bundled {
  readonly text: string;
  readonly map: string;
  readonly files: readonly CodeFile[];
}

async function bundled(file: string): Promise<Bundled> {
  const folder = dirname(file);
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
    absWorkingDir: folder,
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // By default, esbuild uses the export condition `module`. An empty list turns it off, so that esbuild
    // selects the same files of a package as Node.
    conditions: [],
    keepNames: true,
    legalComments: 'none',
    sourcemap: 'external',
    sourceRoot: `${pathToFileURL(folder).href}/`,
    sourcesContent: false,
    metafile: true,
    logLevel: 'silent',
    plugins: [packagesByAddress],
  });
  const textOf = (ending: string): string =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const map = Buffer.from(textOf('.map')).toString('base64');
  return {
    text: textOf('.js'),
    map: `//# sourceMappingURL=data:application/json;base64,${map}\n`,
    files: filesOf(metafile, folder),
  };
}

function filesOf({ inputs }: Metafile, folder: string): CodeFile[] {
  return Object.keys(inputs)
    .map((name) => resolve(folder, name))
    .filter((path) => existsSync(path))
    .map((path) => ({
      file: relative(folder, path).replaceAll('\\', '/'),
      sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
    }))
    .sort((one, other) => (one.file < other.file ? -1 : 1));
}

let preparing: Promise<void> | undefined;

// Prepares imports of code that cannot be bundled. tsx compiles TypeScript files in any folder, and a module
// hook resolves `sandtable`.
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
 * Returns a different import URL for a file on each call. Node caches modules by URL, so each import reads
 * the current file and starts without earlier module state.
 */
function freshAddress(file: string): string {
  const address = pathToFileURL(resolve(file));
  const before = loads.get(address.href) ?? 0;
  loads.set(address.href, before + 1);
  if (before > 0) address.search = `load=${before + 1}`;
  return address.href;
}

/**
 * Imports the current version of a code file. If the file cannot be bundled, the modules that it imports may
 * be cached from an earlier import.
 *
 * @throws AppError `strategy_broken`
 */
export async function importFile(file: string): Promise<Imported> {
  const code = await bundled(resolve(file)).catch(() => undefined);
  const load = code === undefined ? undefined : await bundledModule(code);
  if (load === undefined) await prepareImports();
  const folder = process.cwd();
  try {
    const module = await (load?.() ?? import(/* @vite-ignore */ freshAddress(file)));
    return { module: module as Imported['module'], files: code?.files ?? [] };
  } catch (cause) {
    const { text, hint } = explained(thrownText(cause));
    throw new AppError({
      code: 'strategy_broken',
      message: `${file} cannot be loaded: ${text}${placeIn(cause, file)}`,
      hint,
      cause,
    });
  } finally {
    // The module of a strategy may change the working directory. Later relative paths must resolve from the
    // original directory.
    if (process.cwd() !== folder) process.chdir(folder);
  }
}

/**
 * Returns the message of a failed import and a hint. A message about a missing export of `sandtable` is
 * replaced, because it contains the path of the installed package.
 */
function explained(text: string): { readonly text: string; readonly hint: string } {
  const [, name] = /does not provide an export named '(\w+)'/.exec(text) ?? [];
  if (name !== undefined && text.includes(ownAddress('sandtable') ?? '\0'))
    return {
      text: `sandtable has no export ${name}.`,
      hint: 'Remove it from the import. Indicators are declared: indicators: ({ sma }) => ({ mean: sma(20) }).',
    };
  const [, missing] = /Cannot find package '([^']+)'/.exec(text) ?? [];
  if (missing !== undefined)
    return {
      text,
      hint:
        editDistance(missing, 'sandtable') <= 2
          ? 'Did you mean sandtable?'
          : `Correct the name, or install the package: npm install ${missing}`,
    };
  if (/\b(?:module|exports|require) is not defined/.test(text))
    return {
      text,
      hint: 'Write an ECMAScript module: import { … } from …, and export default defineStrategy({ … }).',
    };
  return { text, hint: 'Fix the file.' };
}

/**
 * Imports a strategy and lists the files of its code.
 *
 * @throws AppError `strategy_broken`, `not_a_strategy`
 */
export async function importStrategy(
  file: string,
): Promise<{ readonly strategy: Strategy; readonly files: readonly CodeFile[] }> {
  const { module, files } = await importFile(file);
  if (isStrategy(module.default)) return { strategy: module.default, files };
  throw new AppError({
    code: 'not_a_strategy',
    message: `${file} has no default export from defineStrategy.`,
    hint: "Write: import { defineStrategy } from 'sandtable'; export default defineStrategy({ … });",
  });
}

/**
 * Runs a build with esbuild. The first build starts the process of esbuild, without the API keys in the
 * environment variables.
 */
export async function build<Options extends BuildOptions>(
  options: SameShape<BuildOptions, Options>,
): Promise<BuildResult<Options>> {
  const esbuild = await import('esbuild');
  const environment = process.env;
  // esbuild has no option for the environment of its process. The process starts before `build` returns, so
  // the environment is replaced only for this call.
  process.env = childEnvironment(environment, ['PATH']);
  try {
    return esbuild.build(options);
  } finally {
    process.env = environment;
  }
}
