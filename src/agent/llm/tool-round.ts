import type { BarContext } from '../../engine/index.ts';
import type { Toolkit, WrittenCall } from '../../toolkit/index.ts';
import type { Message, ToolCall } from '../model/types.ts';

/** A reply's calls, each with an id of its own, and whether any had to be given one. */
export function withIds(
  calls: readonly ToolCall[],
  round: number,
): { readonly calls: readonly ToolCall[]; readonly changed: boolean } {
  const seen = new Set<string>();
  let changed = false;
  const named = calls.map((call, index) => {
    if (call.id !== '' && !seen.has(call.id)) {
      seen.add(call.id);
      return call;
    }
    changed = true;
    return { ...call, id: `call_${round}_${index + 1}` };
  });
  return { calls: named, changed };
}

/** A reply's call, and what the toolkit reads in it. */
export interface ReadCall {
  readonly call: ToolCall;
  readonly read: WrittenCall;
}

/** @param offered names the model was given */
export function readCalls(
  calls: readonly ToolCall[],
  toolkit: Pick<Toolkit, 'read'>,
  offered: readonly string[],
): ReadCall[] {
  return calls.map((call) => ({ call, read: toolkit.read(call.name, call.arguments, offered) }));
}

/** A call as it goes back to the model. */
export function echoed({ call, read }: ReadCall): ToolCall {
  return read.fixed === undefined ? call : { ...call, arguments: read.fixed };
}

/**
 * Makes a reply's calls, in whose order the toolkit keeps them.
 *
 * @param outputCharacters of one answer that the model is shown
 * @throws what broke a call, once none of them is under way any more
 */
export async function runTools(
  calls: readonly ReadCall[],
  turn: BarContext,
  outputCharacters: number,
): Promise<Message[]> {
  const answers = await Promise.allSettled(calls.map(({ read }) => read.make(turn, outputCharacters)));
  return answers.map((answer, index): Message => {
    if (answer.status === 'rejected') throw answer.reason;
    const { id, name } = calls[index]!.call;
    return { role: 'tool', callId: id, name, text: answer.value };
  });
}
