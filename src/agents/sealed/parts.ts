import { join } from 'node:path';
import type { Plugin } from 'esbuild';

// In the packed program, `.config/bundle-program.js` joins modules into few files. The files below stay
// separate, because they are imported by their paths.

/**
 * Files of the program that the bundle of a sealed strategy contains. Paths are relative to the folder of the
 * compiled program.
 */
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
 * Omits modules of the program whose exports are not used. Otherwise the index file of a folder would add all
 * modules of the folder.
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
 * Replaces the module that converts bars to danfo.js frames, because a sealed strategy cannot use danfo.js.
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
