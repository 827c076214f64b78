import { join } from 'node:path';
import type { Plugin } from 'esbuild';

// `.config/bundle-program.js` joins the modules of the packed program into few files. The files below stay
// separate there, because they are imported by their paths.

/** Files of the program in a sealed strategy's bundle, relative to the folder of the compiled program. */
export const SEALED_PARTS = [
  'agents/sealed/library.js',
  'agents/sealed/runtime.js',
  'agents/sealed/standstill.js',
  'engine/decision.js',
  'engine/events/events-since.js',
  'engine/events/recorded-event.js',
  'market/calendar/sessions.js',
  'market/features/mirrored.js',
  'market/bars/window.js',
] as const;

/**
 * Omits modules of the program from which nothing is imported. Index files of folders would otherwise add all
 * their modules.
 *
 * @param root folder of the compiled program
 */
export function withoutUnused(root: string): Plugin {
  return {
    name: 'without-unused',
    setup(builder) {
      builder.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, importer }) =>
        importer.startsWith(root) ? { path: join(resolveDir, path), sideEffects: false } : undefined,
      );
    },
  };
}

/**
 * Replaces the module that converts bars to danfo.js frames. A sealed strategy cannot use it.
 *
 * @param root folder of the compiled program
 */
export function withoutFrames(root: string): Plugin {
  return {
    name: 'without-frames',
    setup(builder) {
      builder.onLoad({ filter: /frame\.js$/ }, ({ path: name }) =>
        name === join(root, 'market/bars/frame.js')
          ? {
              contents:
                "export const dataFrame = () => Promise.reject(new Error('toFrame is not there for a sealed strategy'));",
            }
          : undefined,
      );
    },
  };
}
