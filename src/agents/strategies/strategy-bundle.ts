import { createHash } from 'node:crypto';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { AppError, thrownText } from '../../kernel/index.ts';
import { build, importStrategy } from './import-strategy.ts';
import { ownLibrary } from './register-own-name.ts';
import { isStrategy, type Strategy } from './strategy.ts';

/** Strategy file and its imports as one script, without Sandtable, zod and Node's own modules. */
export interface StrategyBundle {
  /** Path of the strategy file, as given by the user. */
  readonly file: string;
  /** CommonJS code. `undefined` if one script is not possible, for example because of a top-level `await`. */
  readonly code: string | undefined;
  /** SHA-256 of the script. Does not depend on the location of the files. */
  readonly sha256: string;
  /** Modules that the script requires. */
  readonly external: readonly string[];
}

/** Variable that replaces `import.meta.url` in a bundle. */
const OWN_ADDRESS = '__sandtable_strategy_url';
const SHARED = /^(sandtable|zod)(\/.*)?$/;

/**
 * Bundles a strategy file into one script.
 *
 * @throws AppError `strategy_broken`
 */
export async function bundleStrategyFile(file: string): Promise<StrategyBundle> {
  const external = new Set<string>();
  const common = {
    entryPoints: [resolve(file)],
    absWorkingDir: dirname(resolve(file)),
    bundle: true,
    write: false as const,
    platform: 'node' as const,
    // Also removes comments. They can contain paths of this machine, which would change the hash.
    minifyWhitespace: true,
    logLevel: 'silent' as const,
  };
  try {
    const { outputFiles } = await build({
      ...common,
      format: 'cjs',
      target: 'node20',
      // A strategy is an ES module, and ES modules are strict.
      banner: { js: '"use strict";' },
      define: { 'import.meta.url': OWN_ADDRESS },
      legalComments: 'none',
      plugins: [
        {
          name: 'sandtable',
          setup(builder) {
            builder.onResolve({ filter: /.*/ }, ({ path }) => {
              if (!SHARED.test(path) && !isBuiltin(path)) return undefined;
              external.add(path);
              return { path, external: true };
            });
          },
        },
      ],
    });
    const code = outputFiles[0]?.text ?? '';
    return { file, code, sha256: hash(code), external: [...external].sort() };
  } catch (cause) {
    if (/top-level await|Dynamic require/i.test(thrownText(cause))) {
      // A file that cannot be a CommonJS script is imported as a module for each run. The bundle is then used
      // only for the hash of all imported files.
      const { outputFiles } = await build({ ...common, format: 'esm', packages: 'external' });
      return { file, code: undefined, sha256: hash(outputFiles[0]?.text ?? ''), external: [] };
    }
    throw broken(file, cause);
  }
}

/**
 * Prepares a bundle for execution. Each call of the returned function evaluates all modules again, so that
 * runs do not share module state.
 */
export async function openBundle(bundle: StrategyBundle): Promise<() => Promise<Strategy>> {
  const { code, file, external } = bundle;
  if (code === undefined) return async () => (await importStrategy(file)).strategy;
  const address = pathToFileURL(resolve(file)).href;
  const native = createRequire(address);
  const modules = new Map<string, unknown>();
  for (const name of external.filter((one) => !isBuiltin(one))) modules.set(name, await libraryOf(name));
  const require = (name: string): unknown => (modules.has(name) ? modules.get(name) : native(name));
  const script = new Script(`(function (module, exports, require, ${OWN_ADDRESS}) {${code}\n})`, {
    filename: `${file} (bundled)`,
  });
  // All calls use the same function, so that V8 can reuse the optimised code.
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  return () => {
    const module = { exports: {} as { default?: unknown } };
    try {
      run(module, module.exports, require, address);
    } catch (cause) {
      return Promise.reject(broken(file, cause));
    }
    const strategy = module.exports.default;
    if (isStrategy(strategy)) return Promise.resolve(strategy);
    return importStrategy(file).then((imported) => imported.strategy);
  };
}

async function libraryOf(name: string): Promise<unknown> {
  if (!name.startsWith('zod')) return ownLibrary(name);
  return (await import(/* @vite-ignore */ name)) as unknown;
}

function broken(file: string, cause: unknown): AppError {
  return new AppError({
    code: 'strategy_broken',
    message: `${file} cannot be loaded: ${thrownText(cause)}`,
    hint: 'Fix the file.',
    cause,
  });
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
