import { readFileSync } from 'node:fs';

/** The version in package.json, which lies two folders above this file in the sources and in the build. */
export function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
