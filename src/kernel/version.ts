import { packageFile } from './package-file.ts';

/** The version in package.json. */
export function version(): string {
  return packageFile().version;
}
