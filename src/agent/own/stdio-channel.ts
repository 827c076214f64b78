import { AgentProcess } from './agent-process.ts';
import { type AgentChannel, AgentFailed } from './channel.ts';
import { type HostMessage, shownLine } from './messages.ts';

/** Milliseconds that an agent has to end after `bye`. */
const GRACE = 2_000;

/** Agent that runs as a program. Messages are JSON objects, one per line, over standard input and output. */
export class StdioChannel implements AgentChannel {
  readonly #words: readonly string[];
  readonly #environment: NodeJS.ProcessEnv;
  #process: AgentProcess | undefined;

  constructor(words: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#words = words;
    this.#environment = environment;
  }

  get isOpen(): boolean {
    return this.#process?.isAlive === true;
  }

  async open(hello: HostMessage): Promise<void> {
    this.drop();
    this.#process = new AgentProcess(this.#words, this.#environment);
    this.#process.send(hello);
  }

  async ask(message: HostMessage, ending: AbortSignal): Promise<string> {
    const child = this.#process;
    if (child === undefined) throw new AgentFailed('crashed', 'it is not running');
    if (message.type === 'decide' && child.unasked !== undefined)
      throw new AgentFailed('malformed', `it said ${shownLine(child.unasked)} before it was asked to decide`);
    child.send(message);
    return child.nextLine(ending);
  }

  drop(): void {
    this.#process?.kill();
    this.#process = undefined;
  }

  async close(bye: HostMessage): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    child.send(bye);
    await child.ended(GRACE);
    this.drop();
  }
}
