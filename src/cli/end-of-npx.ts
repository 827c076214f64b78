import { readFileSync } from 'node:fs';

/** Milliseconds between two checks of the parent process. */
const LOOK_MS = 1_000;

/**
 * Returns a signal that is aborted when the npx that started this process has ended. npx does not forward a `kill`, so
 * a server would keep its port. A process that a shell or another program started has no such parent, and continues
 * in the background when its parent ends.
 *
 * @param release stops looking
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

/** Id of the parent. If it is the shell in which npx starts a program, also the id of npx, if the machine shows it. */
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
