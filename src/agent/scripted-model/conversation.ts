import { isObject } from '../../kernel/index.ts';
import type { ScriptStep } from './script.ts';

/** Parts of a request that a script's conditions check, for either protocol. */
export interface Conversation {
  readonly texts: readonly string[];
  /** Number of the round. 1 for a conversation without replies. */
  readonly round: number;
  readonly tools: boolean;
  readonly model: string;
  readonly stream: boolean;
  /** Request body as JSON. */
  readonly body: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: URLSearchParams;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses a request. `undefined` if its body does not match either protocol. */
export function conversationOf(
  { pathname: path, searchParams: query }: URL,
  body: unknown,
  headers: Conversation['headers'] = {},
): Conversation | undefined {
  if (!isObject(body) || typeof body.model !== 'string') return undefined;
  const items = path.endsWith('/responses') ? body.input : body.messages;
  if (!Array.isArray(items) || items.length === 0 || !items.every(isObject)) return undefined;
  const fields = items as readonly Fields[];
  // Several consecutive items may form one reply.
  const replies = fields.filter((item, index) => isReply(item) && !isReply(fields[index - 1]));
  return {
    texts: fields.map(textOf),
    round: replies.length + 1,
    tools: Array.isArray(body.tools) && body.tools.length > 0 && body.tool_choice !== 'none',
    model: body.model,
    stream: body.stream === true,
    body: JSON.stringify(body),
    headers,
    query,
  };
}

const REPLY_ITEMS = ['function_call', 'reasoning'];

function isReply(item: Fields | undefined): boolean {
  return item !== undefined && (item.role === 'assistant' || REPLY_ITEMS.includes(String(item.type)));
}

function textOf(item: Fields): string {
  const content = item.content ?? item.output ?? item.arguments ?? '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/** Returns true if a request meets a step's condition. */
export function holds(when: ScriptStep['when'], conversation: Conversation, request: number): boolean {
  if (when === undefined) return true;
  const { texts, round, tools, model } = conversation;
  const last = texts.at(-1) ?? '';
  return (
    listed(when.contains).every((text) => texts.some((one) => one.includes(text))) &&
    listed(when.last_contains).every((text) => last.includes(text)) &&
    (when.matches === undefined || texts.some((one) => new RegExp(when.matches ?? '', 's').test(one))) &&
    (when.round ?? round) === round &&
    (when.request ?? request) === request &&
    (when.tools ?? tools) === tools &&
    (when.model ?? model) === model &&
    listed(when.body_contains).every((text) => conversation.body.includes(text)) &&
    Object.entries(when.headers ?? {}).every(([name, value]) => conversation.headers[name] === value) &&
    Object.entries(when.query ?? {}).every(([name, value]) => conversation.query.get(name) === value)
  );
}

function listed(texts: string | readonly string[] | undefined): readonly string[] {
  return typeof texts === 'string' ? [texts] : (texts ?? []);
}
