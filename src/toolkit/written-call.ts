import type { BarContext, Json } from '../engine/index.ts';
import { isDeeperThan } from '../kernel/index.ts';
import { notOffered, textForModel } from './answers.ts';
import { failure } from './tool.ts';
import { DEEPEST_ARGUMENTS, readWrittenArguments } from './written-arguments.ts';

/** Parsed tool call of a model. */
export interface WrittenCall {
  /**
   * Corrected text of the arguments. Servers that parse arguments reject a conversation with malformed ones.
   * `undefined` if no correction is needed.
   */
  readonly fixed: string | undefined;
  /**
   * Makes the call. Returns the answer as the text that the model receives.
   *
   * @param mostCharacters largest length of the answer; longer answers are cut with a note
   */
  make(turn: BarContext, mostCharacters: number): Promise<string>;
}

/**
 * Parses a call as a model wrote it. If the tool is unknown or the arguments cannot be parsed, the model gets
 * an answer, but no call is made: the call has no number and no entry in the journal other than the model's
 * reply.
 *
 * @param among names given to the model
 * @param call makes a call with a known tool and arguments
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

/**
 * Returns the tool that a model most likely meant, if the spelling allows only one. Otherwise `undefined`.
 */
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
