import { readFileSync } from 'node:fs';

/**
 * True if a process of this machine is running. False for a zombie: a process that has ended and is not yet
 * collected by its parent.
 *
 * @param pid above 0; lower numbers mean groups of processes
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** False on systems without /proc. */
function isZombie(pid: number): boolean {
  try {
    // The format is `pid (name) state …`, and a name may contain brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
