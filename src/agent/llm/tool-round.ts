import type { BarContext } from '../../engine/index.ts';
import type { Toolkit, WrittenCall } from '../../toolkit/index.ts';
import type { Message, ToolCall } from '../model/types.ts';

/** Gives each call of a reply a unique id. Also returns whether an id was changed. */
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

/** Call of a reply, and its interpretation by the toolkit. */
export interface ReadCall {
  readonly call: ToolCall;
  readonly read: WrittenCall;
}

/** @param offered names of the tools that the model was offered */
export function readCalls(
  calls: readonly ToolCall[],
  toolkit: Pick<Toolkit, 'read'>,
  offered: readonly string[],
): ReadCall[] {
  return calls.map((call) => ({ call, read: toolkit.read(call.name, call.arguments, offered) }));
}

/** Returns a call as repeated to the model. */
export function echoed({ call, read }: ReadCall): ToolCall {
  return read.fixed === undefined ? call : { ...call, arguments: read.fixed };
}

/**
 * Makes a reply's calls. The toolkit determines their order.
 *
 * @param outputCharacters maximum number of characters per answer that the model is shown
 * @throws the error of a failed call, after all calls have ended
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
