import { type AgentFailureKind, isJsonObject, type Json } from '../../engine/index.ts';
import { isDeeperThan, messageOf } from '../../kernel/index.ts';
import type { ToolDefinition } from '../../toolkit/index.ts';
import { usageOf } from '../model/types.ts';

/** Version of the protocol in docs/agents.md. */
export const PROTOCOL_VERSION = 1;
/** Maximum size of an agent's message, in bytes. */
export const LONGEST_REPLY = 1024 * 1024;
/** Maximum nesting depth of objects and lists in a message. */
const DEEPEST = 100;
/** Maximum cost of one message in US dollars. A greater value is treated as a mistake. */
const MOST_COST = 1_000_000;
/** Maximum number of characters of a tool name or call id. Answers and the journal repeat both. */
const LONGEST_NAME = 200;

/** Message to an agent. */
export type HostMessage =
  | {
      readonly type: 'hello';
      readonly version: number;
      /**
       * Id of the run. Stays the same after a restart and after `resume`. Each other run has a different id.
       */
      readonly run: string;
      readonly tools: readonly ToolDefinition[];
      readonly symbols: readonly string[];
      /** Number of earlier decisions of the run. */
      readonly decisions: number;
      /** Number of this run, from 1, if several independent runs are compared. 1 for a single run. */
      readonly sample: number;
      /**
       * True in a trial before a run. The agent then makes one decision, which does not belong to any run.
       */
      readonly preflight?: true;
    }
  | { readonly type: 'decide'; readonly id: number; readonly observation: Json }
  | { readonly type: 'result'; readonly id: Json; readonly result: Json }
  | { readonly type: 'bye' };

/**
 * Usage and cost of the models that the agent has called since its last message, as reported by the agent.
 */
interface Took {
  /** Token usage, in the format of a model server's `usage` field. */
  readonly usage?: Json;
  /** Cost in US dollars. */
  readonly cost?: number;
}

/** Message from an agent. */
export type AgentMessage = Took &
  (
    | {
        readonly type: 'call';
        readonly id: string | number | null;
        readonly tool: string;
        readonly arguments: Json;
      }
    | { readonly type: 'done'; readonly id?: number; readonly text: string }
  );

/** Parses a message from an agent. If the message is invalid, returns a description of the fault. */
export function readAgentMessage(
  text: string,
): { readonly message: AgentMessage } | { readonly fault: string } {
  if (text.trim() === '') return { fault: 'its message is empty' };
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (error) {
    return { fault: `its message ${shownLine(text)} is not JSON (${messageOf(error).slice(0, 100)})` };
  }
  if (isDeeperThan(value, DEEPEST)) return { fault: `its message is nested deeper than ${DEEPEST} levels` };
  if (!isJsonObject(value))
    return { fault: `its message ${shownLine(text)} is not a JSON object. Expected an object with a type` };
  return readObject(value, text);
}

function readObject(
  value: Readonly<Record<string, Json>>,
  text: string,
): { readonly message: AgentMessage } | { readonly fault: string } {
  const took = readTook(value);
  if ('fault' in took) return took;
  const { type, version = PROTOCOL_VERSION } = value;
  if (version !== PROTOCOL_VERSION)
    return {
      fault: `its message has version ${shownJson(version)}. Expected ${PROTOCOL_VERSION}, the version of the protocol in hello`,
    };
  if (type === 'done') {
    const { text: words = '' } = value;
    if (typeof words !== 'string')
      return { fault: `text of its done is ${shownJson(words)}. Expected a string` };
    const { id } = value;
    if (id !== undefined && id !== null && !Number.isSafeInteger(id))
      return { fault: `id of its done is ${shownJson(id)}. Expected the id of decide, a whole number` };
    return { message: { type: 'done', ...(typeof id === 'number' ? { id } : {}), text: words, ...took } };
  }
  if (type !== 'call') {
    const found = type === undefined ? 'has no type' : `has the type ${shownJson(type)}`;
    return { fault: `its message ${shownLine(text)} ${found}. Expected "call" or "done"` };
  }
  const { id = null, tool, arguments: given = {} } = value;
  if (typeof tool !== 'string' || tool === '' || tool.length > LONGEST_NAME)
    return {
      fault: `its call ${shownLine(text)} has no tool. Expected the name of a tool in tool, and an object in arguments`,
    };
  const isId = id === null || typeof id === 'number' || (typeof id === 'string' && id.length <= LONGEST_NAME);
  if (!isId)
    return {
      fault: `id of its call is ${shownJson(id)}. Expected a number, or a string of at most ${LONGEST_NAME} characters`,
    };
  return { message: { type: 'call', id, tool, arguments: given, ...took } };
}

/**
 * Reads usage and cost. `undefined` or `null` means that the agent did not report them. An invalid value is a
 * fault, because it could bypass a budget.
 */
function readTook({ usage, cost }: Readonly<Record<string, Json>>): Took | { readonly fault: string } {
  if (usage !== undefined && usage !== null && usageOf(usage) === null)
    return {
      fault: `its usage ${shownJson(usage)} has no number of tokens. Expected for example {"prompt_tokens": 1200, "completion_tokens": 40}`,
    };
  if (cost !== undefined && cost !== null && !(typeof cost === 'number' && cost >= 0 && cost <= MOST_COST))
    return { fault: `its cost is ${shownJson(cost)}. Expected US dollars, a number from 0 to ${MOST_COST}` };
  return {
    ...(usage === undefined || usage === null ? {} : { usage }),
    ...(typeof cost === 'number' ? { cost } : {}),
  };
}

/**
 * Returns true if a line of an agent's output looks like a message. Other lines are printed by the agent or
 * its libraries, for example the text of a Python dict.
 */
export function isMessageLine(line: string): boolean {
  if (!/^[{[]/.test(line)) return false;
  if (line.includes('"type"')) return true;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Returns a text as one line, shortened if it is long. */
export function shownLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

function shownJson(value: Json): string {
  return shownLine(JSON.stringify(value));
}

/** Error of an agent that crashed, did not answer, or sent an invalid message. `kind` names the failure. */
export class AgentFailed extends Error {
  readonly kind: AgentFailureKind;

  constructor(kind: AgentFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Connection to an agent: a process or an HTTP address. */
export interface AgentChannel {
  /** False before the first `open`, after `drop`, and after the agent has closed the connection. */
  readonly isOpen: boolean;
  /** Last characters of the agent's standard error. Empty for an agent at an HTTP address. */
  readonly errorOutput: string;
  /**
   * Last line of output since the request `decide` that is not a message. `undefined` if there is no such
   * line.
   */
  readonly ignored: string | undefined;
  /**
   * Connects to the agent and sends `hello`.
   *
   * @throws AgentFailed, or any error once `ending` is aborted
   */
  open(hello: HostMessage, ending: AbortSignal): Promise<void>;
  /**
   * Sends a message and returns the text of the agent's next message.
   *
   * @throws AgentFailed, or any error once `ending` is aborted
   */
  ask(message: HostMessage, ending: AbortSignal): Promise<string>;
  /** Drops the connection to a failed agent. The next `open` starts a new connection. */
  drop(): void;
  /** Sends `bye` to a connected agent and lets the agent end. */
  close(bye: HostMessage): Promise<void>;
}
