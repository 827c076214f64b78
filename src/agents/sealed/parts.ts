import { join } from 'node:path';
import type { Plugin } from 'esbuild';

// `.config/bundle-program.js` joins the modules of the packed program. These files stay separate entry points
// there.

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
 * Omits modules of the program of which nothing is used. Index files of layers would otherwise add all their modules.
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
 * Replaces the module for danfo.js frames.
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
