import { readFileSync } from 'node:fs';

/** Fields that the program reads from its own package.json. */
interface PackageFile {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  /**
   * Dependencies of danfo.js that are replaced or not installed because of known vulnerabilities. See
   * docs/dependencies.md.
   */
  readonly overrides: Readonly<Record<string, string>>;
}

/**
 * Returns the URL of a file of this package. Use this function everywhere: the folder of a module changes
 * when the program is bundled.
 *
 * @param path relative to the folder of the package; a folder ends in `/`
 */
export function packagePlace(path: string): URL {
  // Within src/ and dist/, no subfolder is called src or dist.
  return new URL(path, import.meta.url.replace(/^(.*\/)(?:src|dist)\/.*$/, '$1'));
}

/**
 * Returns the URL of a compiled file. A checkout that runs from its sources also uses the compiled file.
 *
 * @param path relative to the folder of the compiled program
 */
export function builtPlace(path: string): URL {
  return packagePlace(`dist/${path}`);
}

/** Returns the package.json of this program. */
export function packageFile(): PackageFile {
  return JSON.parse(readFileSync(packagePlace('package.json'), 'utf8')) as PackageFile;
}

/** Returns the version in package.json. */
export function version(): string {
  return packageFile().version;
}
