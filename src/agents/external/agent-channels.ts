import { basename, extname } from 'node:path';
import { HttpFailure, request } from '../../kernel/http/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import { toolDefinitions } from '../../toolkit/index.ts';
import { DEFAULT_TOOLS, defaultTools } from '../llm/schema.ts';
import type { AgentBudget } from '../model/budget.ts';
import type { LoadedStrategy } from '../strategies/strategy.ts';
import { type OwnAgent, ownAgentDecider } from './decider.ts';
import { type AgentChannel, AgentFailed, type HostMessage, LONGEST_REPLY } from './messages.ts';
import { StdioChannel } from './stdio-channel.ts';

/** Milliseconds to wait for the answer to `bye`, the last message to an agent. */
const GRACE = 2_000;

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Header with the run's id, so that an agent at one address can serve several runs at the same time. */
const RUN_HEADER = 'sandtable-run';

/**
 * Agent at an HTTP address. Each message is posted as JSON. The response body is the agent's next message.
 */
class HttpChannel implements AgentChannel {
  readonly errorOutput = '';
  readonly ignored = undefined;
  readonly #address: URL;
  #headers: Readonly<Record<string, string>>;
  #isOpen = false;

  /** @param token bearer token, if one is set */
  constructor(address: URL, token: string | undefined) {
    this.#address = address;
    this.#headers = {
      'content-type': 'application/json',
      ...(token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` }),
    };
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async open(hello: HostMessage, ending: AbortSignal): Promise<void> {
    if (hello.type === 'hello') this.#headers = { ...this.#headers, [RUN_HEADER]: hello.run };
    // Only errors of this request matter. The content of the answer is ignored.
    await this.#answerTo(hello, ending);
    this.#isOpen = true;
  }

  ask(message: HostMessage, ending: AbortSignal): Promise<string> {
    return this.#post(message, ending);
  }

  drop(): void {
    this.#isOpen = false;
  }

  async close(bye: HostMessage): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // The run has ended, so the answer to `bye` is ignored.
    await this.#answerTo(bye, AbortSignal.timeout(GRACE)).catch(() => undefined);
  }

  async #post(message: HostMessage, signal: AbortSignal): Promise<string> {
    const { status, text } = await this.#answerTo(message, signal);
    if (status >= 200 && status < 300) return text;
    const words = text.trim().replaceAll(/\s+/g, ' ').slice(0, 200);
    throw new AgentFailed(
      'unreachable',
      `its address answered HTTP ${status}${words === '' ? '' : `: ${words}`}`,
    );
  }

  async #answerTo(message: HostMessage, signal: AbortSignal): Promise<HttpAnswer> {
    try {
      const response = await request(
        this.#address,
        { method: 'POST', headers: this.#headers, body: JSON.stringify(message), signal },
        // An agent may think for longer than the general HTTP timeout. `signal` ends the request at the time
        // limit of the decision.
        {
          maxBytes: LONGEST_REPLY,
          answerMs: Number.POSITIVE_INFINITY,
          idleMs: Number.POSITIVE_INFINITY,
        },
      );
      return { status: response.status, text: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HttpFailure && error.kind === 'too_large')
        throw new AgentFailed('too_long', `its message has more than ${LONGEST_REPLY} bytes`);
      throw new AgentFailed('unreachable', `its address did not answer: ${messageOf(error)}`);
    }
  }
}

/** Options for a user's own agent. */
export interface AgentOptions {
  /** Command, or address that begins with http:// or https://. */
  readonly agent: string;
  readonly agentTools?: readonly string[] | undefined;
  /** Number of bars from one decision to the next. Default: 1. */
  readonly agentEvery?: number | undefined;
  /** Number of bars that must close before the first decision. Default: 0. */
  readonly agentWarmUp?: number | undefined;
  /** Time limit of one decision, in seconds. Default: 60. */
  readonly agentTimeout?: number | undefined;
  /** Maximum number of tool calls per decision. Default: 100. */
  readonly agentCalls?: number | undefined;
  /** Number of consecutive failed decisions after which the run ends. Default: 3. */
  readonly agentFailures?: number | undefined;
  /** Spending limits of the run. Default: unlimited. */
  readonly agentBudget?: AgentBudget | undefined;
}

/** Environment variable with the bearer token for an agent at an HTTP address. */
const TOKEN = 'SANDTABLE_AGENT_TOKEN';
const ADDRESS = /^https?:\/\//i;

/**
 * Prepares a user's own agent for one run.
 *
 * @throws AppError `bad_agent`, `unknown_tool`
 */
export function strategyOfAgent(options: AgentOptions): LoadedStrategy {
  const agent: OwnAgent = {
    shown: options.agent,
    tools: options.agentTools ?? DEFAULT_TOOLS,
    every: options.agentEvery ?? 1,
    warmUp: options.agentWarmUp ?? 0,
    timeoutSeconds: options.agentTimeout ?? 60,
    calls: options.agentCalls ?? 100,
    failures: options.agentFailures ?? 3,
    budget: options.agentBudget ?? {},
  };
  toolDefinitions(agent.tools);
  const { name, open } = ADDRESS.test(options.agent) ? overHttp(options.agent) : overStdio(options.agent);
  return {
    name,
    kind: 'agent',
    file: `The agent ${options.agent}`,
    sha256: '',
    runsOwnCode: false,
    summary: 'an agent outside the engine',
    // Parameters that shape the agent's decisions. Limits and timeouts are excluded.
    parameters: { agent: agent.shown, tools: agent.tools, every: agent.every, warmUp: agent.warmUp },
    tools: agent.tools,
    settings: {},
    warmUp: 'first-decision',
    createDecider(toolkit, _bars, symbols, services = { environment: process.env }) {
      if (toolkit === undefined) throw new Error('an agent needs a toolkit');
      const tools = options.agentTools ?? defaultTools(symbols.length);
      const channel = open(services.environment, services.warn);
      return ownAgentDecider({ ...agent, tools }, toolkit, services, channel);
    },
  };
}

type Opened = {
  readonly name: string;
  open(
    environment: Readonly<Record<string, string | undefined>>,
    warn?: (text: string) => void,
  ): StdioChannel | HttpChannel;
};

function overHttp(text: string): Opened {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined)
    throw badAgent(`${text} is not an address.`, 'Write for example http://127.0.0.1:8000/decide.');
  // The address is written to the record of the run, so it must not contain a password or a key.
  if (address.username !== '' || address.password !== '' || address.search !== '')
    throw badAgent(
      `The address of the agent at ${address.host} has a name, a password or a query. The address is written to the record.`,
      `Set ${TOKEN} in the environment instead. It is sent as a bearer token and is not written to the record.`,
    );
  return {
    name: `agent-${nameOf(address.hostname)}`,
    open: (environment) => new HttpChannel(address, environment[TOKEN]),
  };
}

const SECRET =
  /(?:^|\s)-{1,2}[\w-]*(?:api-?key|secret|passw(?:or)?d|(?:access|auth|api)-?token)[=\s]|\w*(?:_KEY|_TOKEN|_SECRET|PASSWORD)=|\bsk-[\w-]{16}/i;

function overStdio(text: string): Opened {
  const words = commandWords(text);
  if (words === undefined || words.length === 0)
    throw badAgent(
      words === undefined
        ? `The agent's command ${text} has a quote that is not closed.`
        : "The agent's command is empty.",
      WRITE_COMMAND,
    );
  if (SECRET.test(text))
    throw badAgent(
      "The agent's command seems to contain a key or a password. The command is written to the record.",
      'Set it in the environment or in a file .env. The agent inherits both.',
    );
  const script = words.find((word) => /\.[a-z]{1,3}$/.test(word)) ?? words[0]!;
  return {
    name: nameOf(basename(script, extname(script))),
    open(environment, warn) {
      const own = {
        PATH: process.env.PATH,
        ...environment,
        // Without this setting, Python buffers its output to a pipe, and the agent and the engine would wait
        // for each other.
        PYTHONUNBUFFERED: '1',
      };
      return new StdioChannel(words, own, warn);
    },
  };
}

const WRITE_COMMAND =
  'Write for example --agent "python3 my_agent.py", or an address that begins with http://.';

function badAgent(message: string, hint: string): AppError {
  return new AppError({ code: 'bad_agent', message, hint });
}

function nameOf(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'agent' : name;
}

/**
 * Splits a command line into words without running a shell. Quotes preserve spaces. Outside single quotes, a
 * backslash escapes the next character.
 *
 * @returns `undefined` if a quote is not closed
 */
function commandWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === '\\' && process.platform !== 'win32' && quote !== "'" && at + 1 < text.length)
      word = (word ?? '') + text[++at];
    else if (quote !== '' && letter === quote) quote = '';
    else if (quote !== '') word = (word ?? '') + letter;
    else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (quote !== '') return undefined;
  if (word !== undefined) words.push(word);
  return words;
}
