import { z } from 'zod';
import { type Json, jsonSchema, type ServedBy, type TokenUsage } from '../../engine/index.ts';
import type { ToolDefinition } from '../../toolkit/index.ts';

/** A tool call as the model wrote it; `arguments` may be no JSON at all. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The text, or the value where a server sends arguments as an object. */
  readonly arguments: Json;
  /** Fields beside it that the server wants back as they were, such as Gemini's signature of its thoughts. */
  readonly extra?: Readonly<Record<string, Json>>;
}

/** One message of a decision's conversation, whatever the protocol. */
export type Message =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** What the server wants back as it was: reasoning text or fields of it, by name. */
      readonly echo?: Readonly<Record<string, Json>>;
      /** The Responses API's own items, which go back as they came. */
      readonly items?: readonly Json[];
    }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string };

/** How a reply ended. */
export type ReplyEnd = 'stop' | 'tool_calls' | 'length' | 'filtered' | 'refused';

/** A model's reply, whatever the protocol. */
export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly end: ReplyEnd;
  readonly reasoning?: string;
  readonly echo?: Readonly<Record<string, Json>>;
  readonly items?: readonly Json[];
}

const replySchema: z.ZodType<ModelReply> = z.looseObject({
  text: z.string(),
  toolCalls: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      arguments: jsonSchema,
      extra: z.record(z.string(), jsonSchema).exactOptional(),
    }),
  ),
  end: z.enum(['stop', 'tool_calls', 'length', 'filtered', 'refused']),
  reasoning: z.string().exactOptional(),
  echo: z.record(z.string(), jsonSchema).exactOptional(),
  items: z.array(jsonSchema).exactOptional(),
});

/** Whether a journal holds a reply, and no more is done with it than that. */
export function isModelReply(value: unknown): value is ModelReply {
  return replySchema.safeParse(value).success;
}

/** What one exchange asks for. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** The last round: the model may only answer. */
  readonly final: boolean;
  /** The form that the answer must have; any text where it is left out. */
  readonly answer?: AnswerRequest | undefined;
}

/** The form of an answer, and how a server is asked for it. */
export interface AnswerRequest {
  /** By the server's own JSON schema, or by a tool among `tools` that has to be called in the last round. */
  readonly by: 'json_schema' | 'tool';
  readonly schema: Readonly<Record<string, Json>>;
  /** Whether the schema is one of OpenAI's strict mode. */
  readonly strict: boolean;
}

/** The name of an answer of a given form, and of the tool whose arguments it is. */
export const ANSWER_TOOL = 'answer';

export interface Exchange {
  readonly reply: ModelReply;
  readonly served?: ServedBy;
  readonly usage: TokenUsage | null;
}

/** A JSON object of the protocol, before it is sent. */
export type Body = Readonly<Record<string, Json>>;

/** One of the two protocols: bodies out, replies in. */
export interface Protocol {
  readonly path: '/chat/completions' | '/responses';
  body(request: ModelRequest): Body;
  /** @throws MalformedReply */
  reply(answer: unknown): Exchange;
  /**
   * Puts a stream's events together into an answer as `reply` takes it.
   *
   * @param closed whether the server has sent the stream's last mark, `[DONE]`
   * @throws TruncatedStream, MalformedReply
   */
  assemble(events: AsyncIterable<unknown>, closed: () => boolean): Promise<unknown>;
}

/** The server answered something that is none of the protocol's. */
export class MalformedReply extends Error {}
/** A stream ended before its reply did. */
export class TruncatedStream extends Error {}
/** An answer that began well, a stream or HTTP 200, carried the server's error. */
export class AnsweredError extends Error {
  readonly error: unknown;

  constructor(error: unknown) {
    super('the answer carried an error');
    this.error = error;
  }
}
