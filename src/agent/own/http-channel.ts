import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { messageOf } from '../../kernel/index.ts';
import { type AgentChannel, AgentFailed } from './channel.ts';
import { type HostMessage, LONGEST_REPLY } from './messages.ts';

/** Milliseconds that the answer to `bye` may take. */
const GRACE = 2_000;

interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** An agent at an address: each message is posted as JSON, and the answer's body is the agent's next message. */
export class HttpChannel implements AgentChannel {
  readonly #address: URL;
  readonly #headers: Readonly<Record<string, string>>;
  #isOpen = false;

  /** @param token sent as a bearer's, where there is one */
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
    // Whatever it answers to that, only that it is there matters.
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
    // The run has ended, whatever it says to that.
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

  // Not `fetch`, which gives up after five minutes without headers: agents may think for longer.
  async #answerTo(message: HostMessage, signal: AbortSignal): Promise<HttpAnswer> {
    const body = Buffer.from(JSON.stringify(message));
    const send = this.#address.protocol === 'https:' ? secureRequest : plainRequest;
    try {
      return await new Promise((resolve, reject) => {
        const headers = { ...this.#headers, 'content-length': body.length };
        const asked = send(this.#address, { method: 'POST', headers, signal }, (response) => {
          wholeText(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), reject);
        });
        asked.once('error', reject);
        asked.end(body);
      });
    } catch (error) {
      if (error instanceof AgentFailed) throw error;
      throw new AgentFailed('unreachable', `its address did not answer: ${reasonOf(error)}`);
    }
  }
}

async function wholeText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > LONGEST_REPLY) {
      response.destroy();
      throw new AgentFailed('too_long', `its message has more than ${LONGEST_REPLY} bytes`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Node gathers the failures of all of a name's addresses under an error without words. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return messageOf(error);
}
