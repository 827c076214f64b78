import { readFileSync } from 'node:fs';

/** What the program reads of its own package.json. */
interface PackageFile {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  /** What danfo.js asks for and no longer installs, or installs with known holes; see docs/dependencies.md. */
  readonly overrides: Readonly<Record<string, string>>;
}

/**
 * The address of a file of this package, the one way to find it: where a module lies says nothing once it is packed.
 *
 * @param path from the package's folder; a folder ends in `/`
 */
export function packagePlace(path: string): URL {
  // No further folder within src/ or dist/ has either name.
  return new URL(path, import.meta.url.replace(/^(.*\/)(?:src|dist)\/.*$/, '$1'));
}

/**
 * The address of a compiled file: a checkout that runs from its sources uses the built one too.
 *
 * @param path from the folder of the compiled program
 */
export function builtPlace(path: string): URL {
  return packagePlace(`dist/${path}`);
}

/** The package.json of this program. */
export function packageFile(): PackageFile {
  return JSON.parse(readFileSync(packagePlace('package.json'), 'utf8')) as PackageFile;
}
