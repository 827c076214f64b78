import { readFileSync } from 'node:fs';

/** Milliseconds between two checks if npx is still running. */
const LOOK_MS = 1_000;

/**
 * Returns a signal that is aborted when the npx that started this process has ended. npx does not forward the
 * signal of `kill npx` to this process. Without these checks, a server would continue and occupy its port. If
 * npx did not start this process, the returned signal is never aborted.
 *
 * @param release signal that ends the checks when it is aborted
 */
export function endOfNpx(
  environment: Readonly<Record<string, string | undefined>>,
  release: AbortSignal,
): AbortSignal {
  const ended = new AbortController();
  if (environment.npm_command !== 'exec' || environment.npm_lifecycle_event !== 'npx') return ended.signal;
  const started = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === started) return;
    clearInterval(timer);
    ended.abort();
  }, LOOK_MS).unref();
  release.addEventListener('abort', () => clearInterval(timer), { once: true });
  return ended.signal;
}

/**
 * Returns the id of the parent process. npx may start a program in a shell. In this case, also returns the id
 * of npx, if the system reports it.
 */
function ancestors(): string {
  const parent = process.ppid;
  try {
    const [, name = '', above = ''] =
      /\((.*)\) \S+ (\d+)/.exec(readFileSync(`/proc/${parent}/stat`, 'utf8')) ?? [];
    return /^(ba|da)?sh$/.test(name) ? `${parent} ${above}` : String(parent);
  } catch {
    return String(parent);
  }
}
