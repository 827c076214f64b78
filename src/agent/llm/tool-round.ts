import type { DeciderEvent, Json, Turn } from '../../engine/index.ts';
import { type ToolDefinition, type Toolkit, toolDefinitions, toolWrites } from '../../toolkit/index.ts';
import type { Message, ToolCall } from '../model/types.ts';
import { holding } from '../record/recorded-toolkit.ts';
import { cutToolOutput } from './context-window.ts';
import { fittedArguments } from './fitted-arguments.ts';
import { readArguments, toolMeant } from './tool-arguments.ts';

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

/** A call as it goes back to the model: servers that read arguments refuse a conversation that holds broken ones. */
export function echoed(call: ToolCall): ToolCall {
  const read = readArguments(call.arguments);
  if (read.ok && !read.repaired && call.arguments !== '') return call;
  const value: Json = read.ok ? read.value : { malformed_arguments: call.arguments };
  return { ...call, arguments: JSON.stringify(value) };
}

export interface ToolRoundOptions {
  readonly toolkit: Toolkit;
  /** Names the model was given. */
  readonly offered: readonly string[];
  readonly turn: Turn;
  /** Characters of one answer that the model is shown. */
  readonly outputCharacters: number;
}

/**
 * Makes a reply's calls and gives their answers, in the order of the calls. Reads that stand together run together;
 * a write waits for what comes before it.
 */
export async function runTools(calls: readonly ToolCall[], options: ToolRoundOptions): Promise<Message[]> {
  const answers: Message[] = [];
  for (let from = 0; from < calls.length; ) {
    let to = from + 1;
    if (isRead(calls[from]!, options)) {
      while (to < calls.length && isRead(calls[to]!, options)) to += 1;
    }
    answers.push(...(await runTogether(calls.slice(from, to), options)));
    from = to;
  }
  return answers;
}

function isRead({ name }: ToolCall, { offered }: ToolRoundOptions): boolean {
  const meant = toolMeant(name, offered);
  return meant !== undefined && !toolWrites(meant);
}

async function runTogether(calls: readonly ToolCall[], options: ToolRoundOptions): Promise<Message[]> {
  const { turn } = options;
  if (calls.length === 1) return [await runOne(calls[0]!, turn, options)];
  // Which read ends first is chance: what they write down is put in the order of the calls.
  const held: DeciderEvent[][] = calls.map(() => []);
  const answers = await Promise.all(
    calls.map((call, index) => {
      const own = holding(turn, (event) => held[index]!.push(event));
      return runOne(call, own, options);
    }),
  );
  for (const events of held) for (const event of events) turn.record(event);
  return answers;
}

async function runOne(call: ToolCall, turn: Turn, options: ToolRoundOptions): Promise<Message> {
  const { toolkit, offered, outputCharacters } = options;
  const result = await resultOf(call, turn, toolkit, offered);
  const text = cutToolOutput(JSON.stringify(result), outputCharacters);
  return { role: 'tool', callId: call.id, name: call.name, text };
}

type Schema = ToolDefinition['function']['parameters'];

const schemas = new Map<string, Schema>();

function schemaOf(name: string): Schema {
  const known = schemas.get(name) ?? toolDefinitions([name])[0]!.function.parameters;
  schemas.set(name, known);
  return known;
}

async function resultOf(
  call: ToolCall,
  turn: Turn,
  toolkit: Toolkit,
  offered: readonly string[],
): Promise<Json> {
  const name = toolMeant(call.name, offered);
  if (name === undefined) {
    return {
      error: `There is no tool ${call.name}.`,
      remediation: `Call one of: ${offered.join(', ')}.`,
    };
  }
  const given = readArguments(call.arguments);
  if (!given.ok) {
    return {
      error: given.problem,
      remediation: `Call ${name} again with one JSON object of arguments, such as {"name": "value"}.`,
    };
  }
  return toolkit.call(name, fittedArguments(given.value, schemaOf(name)), turn);
}
