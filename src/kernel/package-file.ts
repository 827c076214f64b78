import { readFileSync } from 'node:fs';

/** What the program reads of its own package.json. */
interface PackageFile {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  /** What danfo.js asks for and no longer installs, or installs with known holes; see docs/dependencies.md. */
  readonly overrides: Readonly<Record<string, string>>;
}

/** The package.json of this program, which lies two folders above this file in the sources and in the build. */
export function packageFile(): PackageFile {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as PackageFile;
}
