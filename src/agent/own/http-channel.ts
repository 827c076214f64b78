import { HttpFailure, request } from '../../http/index.ts';
import { messageOf } from '../../kernel/index.ts';
import { type AgentChannel, AgentFailed } from './channel.ts';
import { type HostMessage, LONGEST_REPLY } from './messages.ts';

/** Milliseconds to wait for the answer to `bye`. */
const GRACE = 2_000;

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Header with the run's id. It lets one address serve several runs at a time. */
const RUN_HEADER = 'sandtable-run';

/**
 * Agent at an HTTP address. Each message is posted as JSON. The response body is the agent's next message.
 */
export class HttpChannel implements AgentChannel {
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
    // The content of this answer is ignored.
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
    // The run has ended, so the answer is ignored.
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
        // An agent may think for longer than the general HTTP timeout. `signal` ends the request at the limit
        // of the run.
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
