import type { AgentFailureKind } from '../../engine/index.ts';
import type { HostMessage } from './messages.ts';

/** What an agent said, or why it did not. */
export class AgentFailed extends Error {
  readonly kind: AgentFailureKind;

  constructor(kind: AgentFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The way to an agent: a process, or an address. */
export interface AgentChannel {
  /** False before the first `open`, after `drop`, and once the agent has gone by itself. */
  readonly isOpen: boolean;
  /** @throws AgentFailed; anything once `ending` is aborted */
  open(hello: HostMessage, ending: AbortSignal): Promise<void>;
  /**
   * Sends a message; gives the text of the agent's next one.
   *
   * @throws AgentFailed; anything once `ending` is aborted
   */
  ask(message: HostMessage, ending: AbortSignal): Promise<string>;
  /** Has nothing more to do with the agent that failed: the next `open` begins anew. */
  drop(): void;
  /** Says `bye` to one that is open, and lets it end. */
  close(bye: HostMessage): Promise<void>;
}
