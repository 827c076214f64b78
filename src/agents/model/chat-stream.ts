import { z } from 'zod';
import { isJsonText } from '../../kernel/index.ts';
import { AnsweredError, MalformedReply, TruncatedStream } from './types.ts';
import { errorIn, isPresent } from './wire-parts.ts';

const functionSchema = z.looseObject({
  name: z.string().nullish(),
  arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

const pieceSchema = z.looseObject({
  index: z.number().int().min(0).max(1_000).nullish().catch(null),
  id: z.union([z.string(), z.number()]).nullish(),
  function: functionSchema.nullish(),
});

type Piece = z.infer<typeof pieceSchema>;

/** Content of a message. Mistral's reasoning models send a list of parts, some of which contain reasoning. */
const partsSchema = z
  .array(z.looseObject({ text: z.string().optional() }))
  .transform((parts) => parts.map(({ text = '' }) => text).join(''));

const deltaSchema = z.looseObject({
  content: z.union([z.string(), partsSchema]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(pieceSchema).nullish(),
  function_call: functionSchema.nullish(),
});

const choiceSchema = z.looseObject({
  index: z.number().nullish().catch(null),
  delta: deltaSchema.nullish(),
  finish_reason: z.string().nullish(),
  error: z.unknown().optional(),
});

const chunkSchema = z.looseObject({
  choices: z.array(choiceSchema).nullish(),
  model: z.string().nullish().catch(null),
  system_fingerprint: z.string().nullish().catch(null),
  usage: z.unknown().optional(),
});

/** Joins the pieces of a streamed chat completion into one chat completion. */
export async function assembleChat(events: AsyncIterable<unknown>, closed: () => boolean): Promise<unknown> {
  const message: Record<string, unknown> = {};
  const calls = new StreamedCalls();
  const whole: Record<string, unknown> = {};
  let reason: string | undefined;
  for await (const event of events) {
    const failed = errorIn(event);
    if (failed !== undefined) throw new AnsweredError(failed);
    const parsed = chunkSchema.safeParse(event);
    if (!parsed.success) throw new MalformedReply('a part of the stream is not a chat completion chunk');
    const choice = parsed.data.choices?.find(({ index }) => (index ?? 0) === 0);
    if (isPresent(choice?.error)) throw new AnsweredError(choice.error);
    for (const field of ['usage', 'model', 'system_fingerprint'] as const) {
      if (isPresent(parsed.data[field])) whole[field] = parsed.data[field];
    }
    reason = choice?.finish_reason ?? reason;
    addFields(message, choice?.delta ?? {});
    for (const piece of choice?.delta?.tool_calls ?? []) calls.add(piece);
    const legacy = choice?.delta?.function_call;
    if (isPresent(legacy)) calls.add({ index: 0, function: legacy });
  }
  const made = calls.whole();
  const saidAnything = made.length > 0 || Object.keys(message).length > 0;
  // Some servers send no finish reason. Their stream is complete if it has content and ended with `[DONE]`.
  if (reason === undefined && !(closed() && saidAnything))
    throw new TruncatedStream('the stream ended before the reply did');
  return {
    ...whole,
    choices: [
      {
        message: { ...message, ...(made.length === 0 ? {} : { tool_calls: made }) },
        finish_reason: reason ?? null,
      },
    ],
  };
}

function addFields(message: Record<string, unknown>, delta: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(delta)) {
    if (typeof value === 'string' && field !== 'role') {
      message[field] = `${typeof message[field] === 'string' ? message[field] : ''}${value}`;
    } else if (field === 'reasoning_details' && Array.isArray(value)) {
      message[field] = [...((message[field] as unknown[] | undefined) ?? []), ...value];
    } else if (field === 'extra_content' && isPresent(value)) message[field] = value;
  }
}

interface StreamedCall {
  id: string;
  function: { name: string; arguments: string };
  extra_content?: unknown;
}

/**
 * Tool calls of a stream, assembled from pieces. Each server numbers and identifies the pieces in its own
 * way.
 */
class StreamedCalls {
  readonly #calls: StreamedCall[] = [];
  /** Newest tool call for each index that the pieces contain. */
  readonly #byIndex = new Map<number, StreamedCall>();

  add(piece: Piece): void {
    const call = this.#callOf(piece);
    const { name, arguments: given } = piece.function ?? {};
    if (isPresent(piece.id) && call.id === '') call.id = String(piece.id);
    // Some servers send the whole name again with each piece.
    if (isPresent(name) && name !== call.function.name) call.function.name += name;
    call.function.arguments +=
      typeof given === 'string' ? given : isPresent(given) ? JSON.stringify(given) : '';
    if (isPresent(piece.extra_content)) call.extra_content = piece.extra_content;
  }

  whole(): readonly StreamedCall[] {
    return this.#calls;
  }

  #callOf(piece: Piece): StreamedCall {
    const index = piece.index ?? undefined;
    const current = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index);
    if (current !== undefined && !begins(piece, current)) return current;
    const call: StreamedCall = { id: '', function: { name: '', arguments: '' } };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

/**
 * Returns true if a piece starts a new tool call instead of continuing `current`. Neither index nor id is
 * sufficient to decide this. Ollama gives every call the index 0. Some versions of vLLM give each piece of
 * one call a different id.
 */
function begins(piece: Piece, current: StreamedCall): boolean {
  const { name, arguments: given } = piece.function ?? {};
  if (isPresent(piece.id) && current.id !== '') return isPresent(name) && String(piece.id) !== current.id;
  return isPresent(name) && isPresent(given) && isWhole(current.function.arguments);
}

function isWhole(text: string): boolean {
  return text.trimEnd().endsWith('}') && isJsonText(text);
}
