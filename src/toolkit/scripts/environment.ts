import { delimiter, dirname, join } from 'node:path';
import { childEnvironment } from '../../kernel/index.ts';

/** Returns the environment of a script that runs in a venv. */
export function scriptEnvironment(
  skillFolder: string,
  python: string,
  own: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const path = Object.entries(own).findLast(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  return {
    ...childEnvironment(own),
    PATH: path === '' ? dirname(python) : `${dirname(python)}${delimiter}${path}`,
    VIRTUAL_ENV: join(skillFolder, 'venv'),
    // Unbuffered, so that output before a timeout is shown. UTF-8, so that text is the same on every machine.
    PYTHONUNBUFFERED: '1',
    PYTHONUTF8: '1',
  };
}
