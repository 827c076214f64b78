import { readFileSync } from 'node:fs';

/**
 * True if a process of this machine is running. False for a zombie: a process that has ended and is not yet
 * collected by its parent.
 *
 * @param pid must be above 0, because 0 and negative numbers identify groups of processes
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** True if a process is a zombie. False on systems without /proc. */
function isZombie(pid: number): boolean {
  try {
    // The format is `pid (name) state …`. A name may contain brackets, so the state follows the last bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Variables that every child process may inherit: paths, language and time zone. */
const PASSED = new Set(
  (
    'HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP SSL_CERT_FILE SSL_CERT_DIR ' +
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA NUMBER_OF_PROCESSORS'
  ).split(' '),
);

/**
 * Returns the variables that a child process inherits: paths, language, time zone and the variables of
 * `more`. All others are withheld, so that no API key or token reaches a process that does not need it.
 *
 * @param own variables of this process
 * @param more names of further variables to pass, in upper case
 */
export function childEnvironment(own: NodeJS.ProcessEnv, more: readonly string[] = []): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(own).filter(([name]) => {
      const known = name.toUpperCase();
      return PASSED.has(known) || known.startsWith('LC_') || more.includes(known);
    }),
  );
}
