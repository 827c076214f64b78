import os from 'node:os';
import path from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder that all checkouts of one user share: wheels, images, compiled sources.
 *
 * @param platform as in `process.platform`
 * @param home absolute path of the user's home
 * @returns an absolute path, which may not exist yet
 */
export function cacheFolderOf(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = os.homedir(),
): string {
  const join = platform === 'win32' ? path.win32.join : path.posix.join;
  const named = env.SANDTABLE_CACHE_DIR;
  if (named) return platform === process.platform ? path.resolve(named) : named;
  if (platform === 'win32') {
    return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'sandtable', 'Cache');
  }
  const shared = env.XDG_CACHE_HOME;
  // The XDG specification requires relative paths to be ignored.
  if (shared && path.posix.isAbsolute(shared)) return join(shared, 'sandtable');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'sandtable');
  return join(home, '.cache', 'sandtable');
}
