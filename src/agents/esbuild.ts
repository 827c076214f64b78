import type { BuildOptions, BuildResult, SameShape } from 'esbuild';
import { childEnvironment } from '../kernel/index.ts';

/** Builds with esbuild. Its process, which starts with the first build, inherits no keys. */
export async function build<Options extends BuildOptions>(
  options: SameShape<BuildOptions, Options>,
): Promise<BuildResult<Options>> {
  const esbuild = await import('esbuild');
  const environment = process.env;
  // esbuild has no option for the environment of its process, and starts it before `build` returns.
  process.env = childEnvironment(environment, ['PATH']);
  try {
    return esbuild.build(options);
  } finally {
    process.env = environment;
  }
}
