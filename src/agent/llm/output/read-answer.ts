import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../engine/index.ts';
import { readWrittenArguments } from '../../../toolkit/index.ts';
import { ANSWER_TOOL, type ModelReply, type ToolCall } from '../../model/types.ts';
import { type AnswerSchema, answerFaults, faultsText } from './answer-schema.ts';

/** Answer in the required form, or the fault of the reply. */
export type ReadAnswer = { readonly answer: Json } | { readonly fault: string };

/** Returns true if a call contains the answer. Models write a tool's name in several ways. */
export function isAnswerCall({ name }: ToolCall): boolean {
  return name.replace(/^(?:functions?|tools?|default_api)[.:/]/i, '').toLowerCase() === ANSWER_TOOL;
}

/** Reads the answer of a reply from the arguments of the answer's tool, or from the text. */
export function readAnswer(reply: ModelReply, schema: AnswerSchema): ReadAnswer {
  const [call, ...others] = reply.toolCalls.filter(isAnswerCall);
  if (call !== undefined) {
    const same = others.every((other) => isDeepStrictEqual(other.arguments, call.arguments));
    if (!same) return { fault: `${others.length + 1} answers came, and they are not the same` };
    return checked(call.arguments, schema);
  }
  if (reply.text.trim() === '') return { fault: 'there is no answer' };
  return checked(jsonIn(reply.text), schema);
}

/**
 * Returns the JSON in a text: its last code block, or the part between its outermost braces, or the whole
 * text.
 */
function jsonIn(text: string): string {
  const blocks = [...text.matchAll(/```(?:json)?\s*(\{[\s\S]*?\})\s*```/g)];
  const block = blocks.at(-1)?.[1];
  if (block !== undefined) return block;
  const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
  return from === -1 || to < from ? text : text.slice(from, to + 1);
}

function checked(written: Json, schema: AnswerSchema): ReadAnswer {
  const read = readWrittenArguments(written);
  if (!read.ok) return { fault: read.problem.replace('The arguments are', 'it is').replace(/\.$/, '') };
  const faults = answerFaults(schema, read.value);
  return faults.length === 0 ? { answer: read.value } : { fault: faultsText(faults) };
}
