import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin, SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile, Plugin } from 'esbuild';
import { AppError, builtPlace } from '../../kernel/index.ts';
import { build } from '../strategies/import-strategy.ts';
import { type SEALED_PARTS, withoutFrames, withoutUnused } from './parts.ts';

/**
 * Returns the folder `agents/sealed` of the compiled program. A checkout that runs from its sources also uses
 * these compiled files, so it must be built first.
 */
function builtFolder(): string {
  const folder = fileURLToPath(builtPlace('agents/sealed/'));
  if (existsSync(join(folder, 'boot.js'))) return folder;
  throw new AppError({
    code: 'not_built',
    message: `The sealed strategy's process ${join(folder, 'boot.js')} is missing.`,
    hint: 'Run: npm run build',
    kind: 'run',
  });
}

let boot: Promise<string> | undefined;

/**
 * Returns the entry point of a sealed strategy's process and its modules as one text, because the process
 * cannot read files. A sealed strategy runs in an isolated process.
 */
export function bootText(): Promise<string> {
  boot ??= (async () => {
    const { outputFiles } = await build({
      entryPoints: [join(builtFolder(), 'boot.js')],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    return outputFiles[0]!.text;
  })();
  return boot;
}

/** File name of the bundle. Source paths in the source map are relative to this file. */
const OUTPUT = 'sealed.js';

/** npm packages that the bundle may contain, because the engine's code in the bundle uses them. */
const PACKAGES = new Set(['zod', 'decimal.js']);

/** Code file of a strategy. The path is relative to the strategy's folder. */
export interface BundledFile {
  readonly file: string;
  readonly sha256: string;
}

interface Bundle {
  readonly code: string;
  readonly files: readonly BundledFile[];
  /** Converts a stack trace with positions in the bundle to positions in the source files. */
  readonly stackInSources: (stack: string) => string;
}

/** Extensions of code files. Imported files with other extensions are data, which may contain future bars. */
const CODE = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'];

/**
 * Bundles a strategy, its imports, and the engine code that runs with it, as one script.
 *
 * @throws AppError `strategy_broken` for imports that cannot be bundled, such as data files and Node's
 *   modules
 */
export async function bundleStrategy(file: string): Promise<Bundle> {
  const sealed = builtFolder();
  const root = dirname(dirname(sealed));
  const path = (name: (typeof SEALED_PARTS)[number]): string => JSON.stringify(join(root, name));
  // These modules are imported directly. The index files of their folders would also load modules that this
  // process must not contain.
  const head = `
    import { standStill } from ${path('agents/sealed/standstill.js')};
    import { printer } from ${path('agents/sealed/runtime.js')};
    export const channel = globalThis.sandtableChannel;
    // Deletes the channel's global, too.
    standStill();
    globalThis.console = printer(channel);`;
  const entry = `
    import { channel } from 'sandtable:head';
    import strategy from ${JSON.stringify(resolve(file))};
    import { serveStrategy } from ${path('agents/sealed/runtime.js')};
    import { SeriesCursor as Cursor } from ${path('market/bars/window.js')};
    import { ListedSessions as Sessions } from ${path('market/calendar/sessions.js')};
    import { MirroredFeatures as Features } from ${path('market/features/mirrored.js')};
    import { EventsSince as Since } from ${path('engine/events/events-since.js')};
    import { ordersOf } from ${path('engine/decision.js')};
    import { checkRecorded, NoteLimit as Notes } from ${path('engine/events/recorded-event.js')};
    channel.serve(serveStrategy(strategy, { channel, Cursor, Features, Sessions, Since, Notes, ordersOf, checkRecorded }));`;
  const imports: Plugin = {
    name: 'sandtable',
    setup(builder) {
      builder.onResolve({ filter: /^sandtable:/ }, ({ path: name, kind, namespace }) =>
        // Only the entry module may import the channel. The strategy's own code may not.
        kind === 'entry-point' || namespace === 'sealed'
          ? { path: name, namespace: 'sealed' }
          : { errors: [{ text: `a sealed strategy cannot import ${name}` }] },
      );
      builder.onLoad({ filter: /.*/, namespace: 'sealed' }, ({ path: name }) => ({
        contents: name === 'sandtable:head' ? head : entry,
        resolveDir: sealed,
      }));
      builder.onResolve({ filter: /^sandtable$/ }, () => ({ path: join(sealed, 'library.js') }));
      builder.onResolve({ filter: /^[^./\\]/ }, ({ path: name, importer }) => {
        // Engine modules also import npm packages and Node modules that a sealed strategy never calls. An
        // empty module replaces each of them.
        if (importer.startsWith(root + sep) && !isAbsolute(name) && !PACKAGES.has(name))
          return { path: name, namespace: 'absent' };
        return isBuiltin(name)
          ? { errors: [{ text: `a sealed strategy cannot import ${name}` }] }
          : undefined;
      });
      builder.onLoad({ filter: /.*/, namespace: 'file' }, ({ path: name }) =>
        CODE.includes(extname(name).toLowerCase())
          ? undefined
          : { errors: [{ text: `a sealed strategy cannot import the data file ${name}` }] },
      );
      builder.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
        contents: 'module.exports = {}',
        loader: 'js',
      }));
    },
  };
  try {
    const { outputFiles, metafile } = await build({
      entryPoints: ['sandtable:entry'],
      bundle: true,
      write: false,
      outfile: join(root, OUTPUT),
      sourcemap: 'external',
      sourcesContent: false,
      metafile: true,
      format: 'iife',
      // The bundle is one function, which the process calls in the inner realm (see `boot.ts`). The function
      // uses strict mode, like all ES modules.
      banner: { js: '(function () { "use strict";' },
      footer: { js: '})' },
      supported: { 'dynamic-import': false },
      legalComments: 'none',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['import', 'default'],
      target: 'es2023',
      logLevel: 'silent',
      plugins: [withoutFrames(root), withoutUnused(root + sep), imports],
    });
    const textOf = (ending: string): string =>
      outputFiles.find(({ path: name }) => name.endsWith(ending))?.text ?? '';
    const map = new SourceMap(JSON.parse(textOf('.map')) as SourceMapPayload);
    return {
      code: withoutDynamicImport(textOf('.js')),
      files: ownFiles(metafile, resolve(file), root),
      stackInSources: (stack) => inSources(stack, map, root),
    };
  } catch (cause) {
    throw new AppError({
      code: 'strategy_broken',
      message: `${file} cannot be sealed: ${faultsIn(cause)}`,
      hint: 'Fix the file, or run it without --seal. docs/strategies.md lists what a sealed strategy can use.',
      cause,
    });
  }
}

/**
 * Writes the word `import` with an escape sequence. In a name or a text, the escape does not change the
 * meaning. In a keyword, it is a syntax error. An `import()` that esbuild missed therefore cannot be
 * compiled.
 */
export function withoutDynamicImport(code: string): string {
  return code.replaceAll(/(?<!\\)\bimport\b/g, '\\u0069mport');
}

function inSources(stack: string, map: SourceMap, root: string): string {
  const lines = stack.split('\n').flatMap((line): string[] => {
    const [, row, column] = /:(\d+):(\d+)\)?$/.exec(line) ?? [];
    if (row === undefined) return [];
    const entry = map.findEntry(Number(row) - 1, Number(column) - 1);
    if (!('originalSource' in entry)) return [];
    const { originalSource, originalLine, originalColumn } = entry;
    return [`    at ${resolve(root, originalSource)}:${originalLine + 1}:${originalColumn + 1}`];
  });
  return lines.join('\n');
}

/**
 * Returns the strategy's file and all files that it imports directly or indirectly, without modules of the
 * engine.
 */
function ownFiles({ inputs }: Metafile, strategy: string, root: string): BundledFile[] {
  const imported = new Map(Object.entries(inputs).map(([name, { imports }]) => [resolve(name), imports]));
  const found = new Set([strategy]);
  for (const file of found) {
    for (const { path } of imported.get(file) ?? []) {
      const name = resolve(path);
      if (imported.has(name) && !name.startsWith(root) && existsSync(name)) found.add(name);
    }
  }
  const files = [...found].map((name) => ({
    file: relative(dirname(strategy), name).replaceAll('\\', '/'),
    sha256: createHash('sha256').update(readFileSync(name)).digest('hex'),
  }));
  return files.sort((a, b) => (a.file < b.file ? -1 : 1));
}

interface BuildFault {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number } | null;
}

function faultsIn(cause: unknown): string {
  const errors =
    typeof cause === 'object' && cause !== null && 'errors' in cause
      ? (cause.errors as readonly BuildFault[])
      : [];
  if (errors.length === 0) return cause instanceof Error ? cause.message : String(cause);
  return errors
    .map(({ text, location }) => (location === null ? text : `${text} (${location.file}:${location.line})`))
    .join('; ');
}
