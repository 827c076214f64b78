import type { Json } from './json.ts';

/** Why an agent of the user's own gave no answer to a decision. */
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

/** What passes between a run and an agent of the user's own (`--agent`). No wall-clock time is in it. */
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
      /** A call or the end of the decision; left out where none came. */
      readonly message?: Json;
      /** Ends the decision. */
      readonly failure?: AgentFailure;
    };
