import type { DeciderEvent, Turn } from '../../engine/index.ts';
import type { Toolkit } from '../../toolkit/index.ts';
import { isMachineMade, type Recording } from './recording.ts';

/** Times a call is made when it runs out of time where its record did not. */
const PATIENCE = 4;

/**
 * A toolkit whose calls can be replayed: they are numbered as they are made, not as they end, and every tool runs
 * again, but time-outs and crashes are taken from the record: where they fall is the one thing that a machine decides.
 */
export function recordedToolkit(toolkit: Toolkit, recording: Recording | undefined): Toolkit {
  let sequence = 0;
  return {
    ...toolkit,
    async call(name, parameters, turn) {
      sequence += 1;
      const own = sequence;
      const recorded = recording?.toolCall(own);
      const then = recorded?.name === name ? recorded : undefined;
      for (let attempt = 1; ; attempt++) {
        const events: DeciderEvent[] = [];
        let result = await toolkit.call(
          name,
          parameters,
          holding(turn, (event) => events.push(event)),
        );
        if (then !== undefined) {
          if (isMachineMade(then.result)) result = then.result;
          else if (isMachineMade(result) && attempt < PATIENCE) continue;
        }
        for (const event of events) {
          turn.record(event.type === 'tool_called' ? { ...event, sequence: own, result } : event);
        }
        return result;
      }
    },
  };
}

/** The same turn, whose notes go elsewhere. */
export function holding(turn: Turn, record: Turn['record']): Turn {
  return Object.create(turn, { record: { value: record } }) as Turn;
}
