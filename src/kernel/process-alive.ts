import { readFileSync } from 'node:fs';

/**
 * Whether a process of this machine is at work: one that was killed and that nobody has waited for yet is not.
 *
 * @param pid above 0; numbers below mean groups of processes
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** Where there is no /proc nothing is a zombie. */
function isZombie(pid: number): boolean {
  try {
    // `pid (name) state …`, and a name may hold brackets.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
