import { type BarContext, type Json, parseJson } from '../engine/index.ts';
import { isDeeperThan } from '../kernel/index.ts';
import { pythonLiteral } from './python-literal.ts';
import { failure } from './tool.ts';
import { notOffered, textForModel } from './tool-responses.ts';

/** Arguments for a tool, or the reason why they cannot be read. */
type ReadWritten =
  | { readonly ok: true; readonly value: Json; readonly repaired: boolean }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the arguments of a tool call. Corrects unambiguous mistakes: an object instead of its text, a JSON
 * text within a text, a surrounding code fence, trailing commas, line breaks inside a string, a Python dict.
 */
export function readWrittenArguments(given: Json): ReadWritten {
  if (typeof given !== 'string') return asObject(given, true);
  const text = given.trim();
  if (text === '') return { ok: true, value: {}, repaired: false };
  const direct = parse(text);
  if (direct !== undefined) {
    // Some servers encode the arguments as JSON text twice.
    const inner = typeof direct === 'string' ? parse(direct.trim()) : undefined;
    return inner === undefined ? asObject(direct, false) : asObject(inner, true);
  }
  const fenced = /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(text)?.[1] ?? text;
  const fixed = parse(fenced) ?? parse(withoutStrayMarks(fenced)) ?? pythonLiteral(fenced);
  if (fixed !== undefined) return asObject(fixed, true);
  return { ok: false, problem: `The arguments are not JSON: ${jsonProblem(text)}` };
}

/** Maximum nesting depth of arguments. Every tool needs only a few levels. */
const DEEPEST_ARGUMENTS = 100;

function asObject(value: Json, repaired: boolean): ReadWritten {
  if (isDeeperThan(value, DEEPEST_ARGUMENTS))
    return { ok: false, problem: `The arguments are nested deeper than ${DEEPEST_ARGUMENTS} levels.` };
  if (value === null) return { ok: true, value: {}, repaired: true };
  if (typeof value === 'object' && !Array.isArray(value)) return { ok: true, value, repaired };
  const kind = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return { ok: false, problem: `The arguments are ${kind}, not an object.` };
}

function parse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function jsonProblem(text: string): string {
  try {
    JSON.parse(text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Removes commas before closing brackets and escapes line breaks inside strings. JSON allows neither. */
function withoutStrayMarks(text: string): string {
  let fixed = '';
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if (inString && character === '\\') {
      fixed += character + (text[index + 1] ?? '');
      index += 1;
    } else if (character === '"') {
      inString = !inString;
      fixed += character;
    } else if (inString) fixed += ESCAPES[character] ?? character;
    else if (character !== ',' || !/^\s*[}\]]/.test(text.slice(index + 1))) fixed += character;
  }
  return fixed;
}

/** Tool call of a model that has been parsed. */
export interface WrittenCall {
  /**
   * Corrected text of the arguments. Needed because some servers reject a conversation that contains
   * malformed arguments. `undefined` if the original text is correct.
   */
  readonly fixed: string | undefined;
  /**
   * Makes the call. Returns the answer as text for the model.
   *
   * @param mostCharacters maximum length of the answer. A longer answer is cut and ends with a note
   */
  make(turn: BarContext, mostCharacters: number): Promise<string>;
}

/**
 * Parses a call as a model wrote it. If the tool is unknown or the arguments cannot be parsed, the model
 * receives an error and no tool is called. Such a call has no number, and the journal contains it only in the
 * model's reply.
 *
 * @param among names that were given to the model
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
 * Returns the tool whose name a model probably meant. Names are compared without prefix, case and
 * punctuation. `undefined` if no tool or several tools match.
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

/** Call that is in progress or not yet recorded. */
export interface UnderWay {
  /** Name of the tool. */
  readonly name: string;
  readonly writes: boolean;
  /**
   * Resolves when the call is recorded, which is after all earlier calls. Never rejects.
   *
   * Resolves to `undefined`, or to the error if this call or an earlier one failed for internal reasons.
   */
  readonly done: Promise<Broken | undefined>;
}

/** Internal failure of a tool. The run ends, and calls that are waiting are not made. */
interface Broken {
  readonly error: unknown;
}

/**
 * Orders concurrent calls. Calls that only read run in parallel. Calls that write run alone. All calls are
 * recorded in the order in which they were made.
 */
export class CallOrder {
  #sequence = 0;
  #underWay: readonly UnderWay[] = [];

  /** Continues the numbering after the last recorded call of a resumed run. */
  resumeAfter(sequence: number): void {
    this.#sequence = Math.max(this.#sequence, sequence);
  }

  /** Calls that are in progress or not yet recorded, oldest first. */
  get underWay(): readonly UnderWay[] {
    return this.#underWay;
  }

  run(
    { name, writes }: Pick<UnderWay, 'name' | 'writes'>,
    work: (sequence: number) => Json | Promise<Json>,
    record: (result: Json, sequence: number) => void,
  ): Promise<Json> {
    this.#sequence += 1;
    const sequence = this.#sequence;
    if (this.#underWay.length > 0)
      return this.#enter(
        { name, writes },
        this.#after(writes, () => work(sequence)),
        record,
        sequence,
      );
    // No other call is in progress, so the tool is called directly. Most tools return synchronously.
    try {
      const result = work(sequence);
      if (result instanceof Promise) return this.#enter({ name, writes }, result, record, sequence);
      record(result, sequence);
      return Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Runs a call after all earlier calls with which it must not run in parallel. */
  async #after(writes: boolean, work: () => Json | Promise<Json>): Promise<Json> {
    const before = this.#underWay.findLast((call) => writes || call.writes);
    const broken = await before?.done;
    if (broken !== undefined) throw broken.error;
    return work();
  }

  #enter(
    { name, writes }: Pick<UnderWay, 'name' | 'writes'>,
    result: Promise<Json>,
    record: (result: Json, sequence: number) => void,
    sequence: number,
  ): Promise<Json> {
    const previous = this.#underWay.at(-1)?.done;
    const recorded = (async () => {
      await Promise.allSettled([result, previous]);
      try {
        const value = await result;
        record(value, sequence);
        return value;
      } finally {
        this.#underWay = this.#underWay.filter((one) => one !== call);
      }
    })();
    const call: UnderWay = {
      name,
      writes,
      done: recorded.then(
        () => previous,
        (error: unknown) => ({ error }),
      ),
    };
    this.#underWay = [...this.#underWay, call];
    return recorded;
  }
}
