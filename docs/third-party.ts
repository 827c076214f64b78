/**
 * Writes THIRD_PARTY.md from package-lock.json and the lock file of Pyodide: `npm run docs:licences`. A test compares
 * the file with the result.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { readWheelLock } from '../src/sandbox/provision/wheel-store.ts';

const ROOT = resolve(import.meta.dirname, '..');

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly optional?: boolean;
}

/** Packages whose code is part of a file in `dist`. */
const BUNDLED = ['lightweight-charts', 'fancy-canvas'];

/** Licences of the Python packages, from their metadata. The lock file of Pyodide does not list them. */
const PYTHON: Readonly<Record<string, string>> = {
  numpy: 'BSD-3-Clause',
  pandas: 'BSD-3-Clause',
  'python-dateutil': 'Apache-2.0 AND BSD-3-Clause',
  pytz: 'MIT',
  six: 'MIT',
};

const table = (rows: readonly (readonly [string, string, string])[]): string =>
  [
    '| Package | Version | Licence |',
    '| --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');

/** Returns the text of THIRD_PARTY.md. Throws if a package has no licence. */
export async function thirdParty(): Promise<string> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const all = Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, locked]) => ({ name: path.slice(path.lastIndexOf('node_modules/') + 13), ...locked }));
  const row = ({ name, version, license }: (typeof all)[number]): readonly [string, string, string] => {
    if (license === undefined) throw new Error(`${name} ${version} has no licence in package-lock.json`);
    return [name, version, license];
  };
  const unique = (
    rows: readonly (readonly [string, string, string])[],
  ): (readonly [string, string, string])[] => [
    ...new Map(rows.map((cells) => [cells.join(' '), cells])).values(),
  ];
  const installed = unique(all.filter(({ dev, devOptional }) => !dev && !devOptional).map(row));
  const bundled = unique(all.filter(({ name }) => BUNDLED.includes(name)).map(row));
  const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
  const { python, wheels } = await readWheelLock(pyodide);
  const fetched = wheels.map(({ name, version }): readonly [string, string, string] => {
    const licence = PYTHON[name];
    if (licence === undefined) throw new Error(`${name} has no licence in docs/third-party.ts`);
    return [name, version, licence];
  });
  return `# Third-party software

\`npm run docs:licences\` writes this file from the lock files. Each installed package contains its licence text. Reasons for each dependency: docs/dependencies.md in the repository.

## Part of the package

This code is inside \`dist/pages/shared/charts.js\`, and therefore inside every report.

${table(bundled)}

## Downloaded for Python

\`sandtable setup\` or the first run downloads these packages. Pyodide contains CPython ${python} (PSF-2.0).

${table(fetched)}

## Installed with the package

Native libraries are installed for one platform only.

${table(installed)}
`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(ROOT, 'THIRD_PARTY.md'), await thirdParty());
  console.log('THIRD_PARTY.md');
}
