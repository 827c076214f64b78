import { createHash } from 'node:crypto';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { AppError, thrownText } from '../kernel/index.ts';
import { importStrategy } from './import-strategy.ts';
import { ownLibrary } from './register-own-name.ts';
import { isStrategy, type Strategy } from './strategy.ts';

/** A strategy's file and all it imports but Sandtable, zod and Node's own modules, as one script. */
export interface StrategyBundle {
  /** As it was named. */
  readonly file: string;
  /** CommonJS; undefined where the file cannot be one script, because of a top-level `await` say. */
  readonly code: string | undefined;
  /** Of the script; the same wherever the files lie. */
  readonly sha256: string;
  /** What the script requires. */
  readonly external: readonly string[];
}

/** Where `import.meta.url` leads in a bundle. */
const OWN_ADDRESS = '__sandtable_strategy_url';
const SHARED = /^(sandtable|zod)(\/.*)?$/;

/**
 * Makes one script of a strategy's file.
 *
 * @throws AppError `strategy_broken`
 */
export async function bundleStrategyFile(file: string): Promise<StrategyBundle> {
  const { build } = await import('esbuild');
  const external = new Set<string>();
  const common = {
    entryPoints: [resolve(file)],
    absWorkingDir: dirname(resolve(file)),
    bundle: true,
    write: false as const,
    platform: 'node' as const,
    // Comments with paths of this machine would be part of the content.
    minifyWhitespace: true,
    logLevel: 'silent' as const,
  };
  try {
    const { outputFiles } = await build({
      ...common,
      format: 'cjs',
      target: 'node20',
      // A strategy is an ES module, which is strict.
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
      // Loaded as a module each time: what identifies it is all that a module would be made of.
      const { outputFiles } = await build({ ...common, format: 'esm', packages: 'external' });
      return { file, code: undefined, sha256: hash(outputFiles[0]?.text ?? ''), external: [] };
    }
    throw broken(file, cause);
  }
}

/**
 * Readies a bundle to be run: each call of what is returned runs its modules anew, so that nothing one run leaves in them is
 * seen by the next.
 */
export async function openBundle(bundle: StrategyBundle): Promise<() => Promise<Strategy>> {
  const { code, file, external } = bundle;
  if (code === undefined) return () => importStrategy(file);
  const address = pathToFileURL(resolve(file)).href;
  const native = createRequire(address);
  const modules = new Map<string, unknown>();
  for (const name of external.filter((one) => !isBuiltin(one))) modules.set(name, await libraryOf(name));
  const require = (name: string): unknown => (modules.has(name) ? modules.get(name) : native(name));
  const script = new Script(`(function (module, exports, require, ${OWN_ADDRESS}) {${code}\n})`, {
    filename: `${file} (bundled)`,
  });
  // One function for all calls: what the engine learns of the code, and compiles, then holds for the next ones too.
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
    return importStrategy(file);
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
