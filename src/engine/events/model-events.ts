import type { Json } from '../settings/settings.ts';

/**
 * Tokens of one exchange (request and reply) by kind. Cached tokens are part of the input, reasoning tokens
 * part of the output.
 */
export interface TokenUsage {
  /** True if the server reported no numbers. Sandtable then estimated them from the texts. */
  readonly estimated?: true;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** Reason why a decision of a model ended. Only with `answered` did the model decide. */
export type DecisionOutcome =
  | 'answered'
  | 'refused'
  | 'empty'
  | 'cut'
  | 'filtered'
  | 'rounds_exhausted'
  /**
   * The model wrote tool calls as plain text. Such calls are executed only if the strategy sets
   * `text_tool_calls`.
   */
  | 'text_tool_calls'
  /** The answer did not have the required form, and neither did the answer to a second request. */
  | 'malformed_answer'
  /** Another role of the strategy (a model with a separate task) rejected the decision. */
  | 'vetoed'
  | 'budget'
  | 'held'
  /** An external agent crashed, did not answer, or sent an invalid answer. */
  | 'agent_failed';

/** Reason why a request to a model had no usable reply. */
export type ModelFailureKind =
  | 'timeout'
  | 'rate_limited'
  | 'server_error'
  | 'connection'
  | 'truncated'
  | 'malformed'
  | 'context_too_long'
  | 'rejected'
  | 'insufficient_quota'
  | 'unauthorised';

export interface ModelFailure {
  readonly kind: ModelFailureKind;
  /** HTTP status. `null` without a response. */
  readonly status: number | null;
  readonly message: string;
}

/** Name of the model and fingerprint of its configuration, as the server reported them. */
export interface ServedBy {
  readonly model?: string;
  readonly fingerprint?: string;
}

/**
 * Role that made the request, for a strategy with several roles (each a model with its own task). Omitted for
 * a strategy with a single prompt.
 */
export interface Speaker {
  readonly role?: string;
  /** Number of the role's turn within the decision: 1, 2, 3 … */
  readonly step?: number;
}

/** Result of a role's turn or of a whole decision. */
interface SpokenEnd {
  readonly outcome: DecisionOutcome;
  /** Number of rounds (requests to the model) with a reply. */
  readonly rounds: number;
  readonly toolCalls: number;
  /** Last text of the model. */
  readonly text: string;
  /** Answer in the form that the strategy requires. */
  readonly answer?: Json;
  /** Reason why the answer was rejected or the decision was not executed. */
  readonly problem?: string;
  /**
   * Tokens and cost of all exchanges in the turn or decision. `cost` is `null` if the cost of any exchange is
   * unknown.
   */
  readonly usage: TokenUsage;
  readonly cost: string | null;
}

/** Events that a model's decider records. Contain no keys, addresses or wall-clock times. */
export type ModelEvent =
  | {
      /**
       * Parts of the requests that are the same in all exchanges. Recorded once for each role, before the
       * first exchange.
       */
      readonly type: 'model_configured';
      readonly bar: number;
      readonly role?: string;
      readonly model: string;
      readonly provider: string;
      readonly api: 'chat' | 'responses';
      readonly tools: Json;
      /** Settings that affect requests or outcomes and have no separate field in this event. */
      readonly configuration: Json;
      /** Price of the model's tokens, in US dollars per million tokens. `null` if unknown. */
      readonly price: Json;
    }
  | (Speaker & {
      /** One exchange with a model: a request and its reply or failure. */
      readonly type: 'model_called';
      readonly bar: number;
      readonly sample: number;
      readonly round: number;
      readonly attempt: number;
      /**
       * Messages that this round added to the conversation. Empty for a repeated attempt of the same request.
       */
      readonly added: Json;
      /** SHA-256 of the request in canonical form. */
      readonly request: string;
      readonly reply?: Json;
      readonly failure?: ModelFailure;
      /** The model's name and `system_fingerprint` in the response, if present. */
      readonly served?: ServedBy;
      /** Tokens of the exchange. `null` if the server did not report them. */
      readonly usage: TokenUsage | null;
      /** Cost of the exchange in US dollars, as a decimal string. `null` if tokens or price are unknown. */
      readonly cost: string | null;
    })
  | (Speaker & {
      readonly type: 'limit_reached';
      readonly bar: number;
      readonly sample: number;
      /** Round that was not started because of the limit. */
      readonly round: number;
      /** `run` ends the run, `decision` ends this decision, `role` ends the role's turn. */
      readonly scope: 'run' | 'decision' | 'role';
      readonly limit: 'tokens' | 'usd' | 'calls' | 'seconds' | 'decisions';
      readonly allowed: number;
    })
  | (Speaker & {
      /**
       * A model could not be reached. The event states how the run reacted, as set in the strategy's
       * settings.
       */
      readonly type: 'model_unavailable';
      readonly bar: number;
      readonly sample: number;
      readonly round: number;
      readonly attempts: number;
      readonly failure: ModelFailure;
      readonly policy: 'hold' | 'stop';
    })
  | (SpokenEnd & {
      /** End of a role's turn within a decision. */
      readonly type: 'role_spoke';
      readonly bar: number;
      readonly sample: number;
      readonly role: string;
      readonly step: number;
    })
  | (SpokenEnd & {
      /** End of one decision. */
      readonly type: 'decision_made';
      readonly bar: number;
      readonly sample: number;
    });

/** Reason why an external agent did not complete a decision. */
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
      /** Number of the decision within the run: 1, 2, 3 … */
      readonly decision: number;
      readonly observation: Json;
    }
  | {
      readonly type: 'agent_replied';
      readonly bar: number;
      /** Number of the agent's message within the decision: 1, 2, 3 … */
      readonly number: number;
      /** Message of the agent: a tool call or the end of the decision. Omitted if no message was received. */
      readonly message?: Json;
      /** Failure of the agent. It ends the decision. */
      readonly failure?: AgentFailure;
    };
