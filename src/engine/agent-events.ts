import type { Json } from './json.ts';

/** Reason why an external agent did not answer a decision. */
export type AgentFailureKind =
  | 'crashed'
  | 'timeout'
  | 'malformed'
  | 'too_long'
  | 'too_many_calls'
  | 'unreachable';

export interface AgentFailure {
  readonly kind: AgentFailureKind;
  readonly message: string;
}

/** Messages between a run and an external agent (`--agent`). Contain no wall-clock time. */
export type AgentEvent =
  | {
      readonly type: 'agent_asked';
      readonly bar: number;
      /** 1, 2, 3 … within the run. */
      readonly decision: number;
      readonly observation: Json;
    }
  | {
      readonly type: 'agent_replied';
      readonly bar: number;
      /** 1, 2, 3 … within the decision. */
      readonly number: number;
      /** A call or the end of the decision. Omitted if no message was received. */
      readonly message?: Json;
      /** Ends the decision. */
      readonly failure?: AgentFailure;
    };
