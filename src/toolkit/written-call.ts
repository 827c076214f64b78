import type { BarContext, Json } from '../engine/index.ts';
import { isDeeperThan } from '../kernel/index.ts';
import { notOffered, textForModel } from './answers.ts';
import { failure } from './tool.ts';
import { DEEPEST_ARGUMENTS, readWrittenArguments } from './written-arguments.ts';

/** A tool call as a model wrote it, read. */
export interface WrittenCall {
  /**
   * The text of its arguments where it had to be fixed: servers that read arguments refuse a conversation that holds
   * broken ones. Undefined where they are sound as they are.
   */
  readonly fixed: string | undefined;
  /**
   * Makes the call. Its answer is the text that the model is shown.
   *
   * @param mostCharacters of the answer; the rest is cut with a mark
   */
  make(turn: BarContext, mostCharacters: number): Promise<string>;
}

/**
 * Reads a call as a model wrote it. One that names no tool or whose arguments cannot be read is answered, but no call:
 * it has no number and is not in the journal beside the model's reply.
 *
 * @param among names the model was given
 * @param call makes a call whose tool and arguments are known
 */
export function readWritten(
  name: string,
  written: Json,
  among: readonly string[],
  call: (name: string, value: Json, turn: BarContext) => Promise<Json>,
): WrittenCall {
  const read = readWrittenArguments(written);
  const tool = toolMeant(name, among);
  const answer = (turn: BarContext): Json | Promise<Json> => {
    if (tool === undefined) return notOffered(name, among);
    if (read.ok) return call(tool, read.value, turn);
    return failure(
      read.problem,
      `Call ${tool} again with one JSON object of arguments, such as {"name": "value"}.`,
    );
  };
  const isSound = read.ok && !read.repaired && written !== '';
  return {
    fixed: isSound
      ? undefined
      : JSON.stringify(
          read.ok
            ? read.value
            : { malformed_arguments: isDeeperThan(written, DEEPEST_ARGUMENTS) ? null : written },
        ),
    make: async (turn, mostCharacters) => textForModel(await answer(turn), mostCharacters),
  };
}

/** The tool a model most likely meant, where its spelling leaves only one; undefined otherwise. */
export function toolMeant(name: string, offered: readonly string[]): string | undefined {
  if (offered.includes(name)) return name;
  const plain = (text: string): string =>
    text
      .replace(/^(?:functions?|tools?|default_api|default)[.:/]/i, '')
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .toLowerCase();
  const alike = offered.filter((one) => plain(one) === plain(name));
  return alike.length === 1 ? alike[0] : undefined;
}
