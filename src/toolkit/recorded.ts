import type { BarContext, DeciderEvent, Json } from '../engine/index.ts';

/** Number of attempts for a call that times out although its recorded call did not. */
const ATTEMPTS = 4;

/**
 * Repeats a call of a recorded run. Every tool runs again, but timeouts and crashes are taken from the
 * record, because they depend on the machine.
 *
 * @param recorded recorded answer of the call
 */
export async function asRecorded(
  recorded: Json,
  turn: BarContext,
  make: (turn: BarContext) => Json | Promise<Json>,
): Promise<Json> {
  for (let attempt = 1; ; attempt++) {
    const events: DeciderEvent[] = [];
    let result = await make(holding(turn, (event) => events.push(event)));
    if (isMachineMade(recorded)) result = recorded;
    else if (isMachineMade(result) && attempt < ATTEMPTS) continue;
    for (const event of events) turn.record(event);
    return result;
  }
}

/**
 * Makes a call and records its events only after its answer, so that they do not mix with events of
 * concurrent work.
 */
export async function recordedAtItsEnd(
  turn: BarContext,
  make: (turn: BarContext) => Promise<Json>,
): Promise<Json> {
  const events: DeciderEvent[] = [];
  const result = await make(holding(turn, (event) => events.push(event)));
  for (const event of events) turn.record(event);
  return result;
}

/** Returns the same turn with a different `record` function. */
function holding(turn: BarContext, record: BarContext['record']): BarContext {
  return Object.create(turn, { record: { value: record } }) as BarContext;
}

/**
 * True if an answer reports a timeout or a crashed process. These depend on the machine and not on the run.
 */
function isMachineMade(result: Json): boolean {
  if (typeof result !== 'object' || result === null || !('error' in result)) return false;
  return /^(?:TimeoutError: computation timed out|SandboxError: )/.test(String(result.error));
}
