import { readFileSync } from 'node:fs';

/** Milliseconds between two checks if npx is still running. */
const LOOK_MS = 1_000;

/**
 * Returns a signal that is aborted when the npx that started this process has ended. npx does not forward a
 * `kill`. Without this signal, a server would continue and occupy its port. A process that was not started by
 * npx continues in the background when its parent ends.
 *
 * @param release ends the checks
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
