import { join } from 'node:path';
import type { Plugin } from 'esbuild';

// The packed program is joined from its modules by `.config/bundle-program.js`, which keeps these.

/** What of the program a sealed strategy's bundle is made with, from the folder of the compiled program. */
export const SEALED_PARTS = [
  'agent/sealed/library.js',
  'agent/sealed/runtime.js',
  'agent/sealed/standstill.js',
  'engine/decision.js',
  'engine/events-since.js',
  'engine/recorded-event.js',
  'market/calendar/sessions.js',
  'market/features/mirrored.js',
  'market/window.js',
] as const;

/** Stands in for what makes danfo.js frames, by the folder of the compiled program. */
export function withoutFrames(root: string): Plugin {
  return {
    name: 'without-frames',
    setup(builder) {
      builder.onLoad({ filter: /frame\.js$/ }, ({ path: name }) =>
        name === join(root, 'market/frame.js')
          ? {
              contents:
                "export const dataFrame = () => Promise.reject(new Error('toFrame is not there for a sealed strategy'));",
            }
          : undefined,
      );
    },
  };
}
