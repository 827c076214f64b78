import { packageFile } from '../kernel/index.ts';

/** The version in package.json. */
export function version(): string {
  return packageFile().version;
}
