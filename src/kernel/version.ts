import { packageFile } from './package-file.ts';

/** Returns the version in package.json. */
export function version(): string {
  return packageFile().version;
}
