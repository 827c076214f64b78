import type { BarContext, DeciderEvent, Json } from '../engine/index.ts';

/** Times a call is made when it runs out of time where its record did not. */
const ATTEMPTS = 4;

/**
 * Makes a call of a recorded run again: every tool runs, but time-outs and crashes are taken from the record, for where
 * they fall is the one thing that a machine decides.
 *
 * @param recorded what the call answered then
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

/** Makes a call whose events come once it has answered, and not while the caller goes on beside it. */
export async function recordedAtItsEnd(
  turn: BarContext,
  make: (turn: BarContext) => Promise<Json>,
): Promise<Json> {
  const events: DeciderEvent[] = [];
  const result = await make(holding(turn, (event) => events.push(event)));
  for (const event of events) turn.record(event);
  return result;
}

/** The same turn, whose notes go elsewhere. */
function holding(turn: BarContext, record: BarContext['record']): BarContext {
  return Object.create(turn, { record: { value: record } }) as BarContext;
}

/** Whether a tool's answer was a time-out or a crash of its process: decided by the machine, not by the run. */
function isMachineMade(result: Json): boolean {
  if (typeof result !== 'object' || result === null || !('error' in result)) return false;
  return /^(?:TimeoutError: computation timed out|SandboxError: )/.test(String(result.error));
}
