import type { AgentFailureKind } from '../../engine/index.ts';
import type { HostMessage } from './messages.ts';

/** Failure of an agent to answer, with its kind. */
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
  /** @throws AgentFailed, or any error once `ending` is aborted */
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
