import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Returns the test files, relative to the project, whose name and text pass `filter`. */
export function testFilesWhere(filter: (name: string, text: string) => boolean): string[] {
  return ['src', 'test', 'bench', 'strategies']
    .flatMap((folder) =>
      readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (name) => `${folder}/${name.replaceAll('\\', '/')}`,
      ),
    )
    .filter((name) => name.endsWith('.test.ts') && filter(name, readFileSync(`${ROOT}${name}`, 'utf8')))
    .sort();
}
