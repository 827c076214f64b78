import { delimiter, dirname, join } from 'node:path';

/**
 * Environment variables that a script inherits: paths, language and time zone. All others are withheld, so
 * that no API key or token reaches code written by a model.
 */
const PASSED = new Set(
  (
    'HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP SSL_CERT_FILE SSL_CERT_DIR ' +
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA NUMBER_OF_PROCESSORS'
  ).split(' '),
);

/** Returns the environment of a script that runs in a venv. */
export function scriptEnvironment(
  skillFolder: string,
  python: string,
  own: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  let path = '';
  for (const [name, value] of Object.entries(own)) {
    const known = name.toUpperCase();
    if (known === 'PATH') path = value ?? '';
    else if (PASSED.has(known) || known.startsWith('LC_')) environment[name] = value;
  }
  return {
    ...environment,
    PATH: path === '' ? dirname(python) : `${dirname(python)}${delimiter}${path}`,
    VIRTUAL_ENV: join(skillFolder, 'venv'),
    // Unbuffered, so that output before a timeout is shown. UTF-8, so that text is the same on every machine.
    PYTHONUNBUFFERED: '1',
    PYTHONUTF8: '1',
  };
}
