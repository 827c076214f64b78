import type { Json } from './json.ts';

/** Tokens of one exchange by kind; cached ones are part of the input, reasoning ones part of the output. */
export interface TokenUsage {
  /** Counted by ourselves from the texts: the server said nothing that can be used. */
  readonly estimated?: true;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

/** How one decision of a model ended; only `answered` is a decision of the model's own. */
export type DecisionOutcome =
  | 'answered'
  | 'refused'
  | 'empty'
  | 'cut'
  | 'filtered'
  | 'rounds_exhausted'
  /** Calls came as text, which the strategy does not allow with `text_tool_calls`. */
  | 'text_tool_calls'
  /** The answer was not of the form that the strategy asks for, nor the one after it. */
  | 'malformed_answer'
  /** Another role of the strategy said no to it. */
  | 'vetoed'
  | 'budget'
  | 'held'
  /** An agent of the user's own crashed, was silent, or said what is no answer. */
  | 'agent_failed';

/** Why a request brought no reply. */
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
  /** Of the HTTP answer; null when there was none. */
  readonly status: number | null;
  readonly message: string;
}

/** Who answered, as the server says. */
export interface ServedBy {
  readonly model?: string;
  readonly fingerprint?: string;
}

/** Who spoke, in a strategy of several roles; left out in one that has a single prompt. */
export interface Speaker {
  readonly role?: string;
  /** 1, 2, 3 … as the roles spoke within the decision. */
  readonly step?: number;
}

/** How a role's part of a decision, or a whole one, came to its end. */
interface SpokenEnd {
  readonly outcome: DecisionOutcome;
  /** Rounds that brought a reply. */
  readonly rounds: number;
  readonly toolCalls: number;
  /** The model's last words. */
  readonly text: string;
  /** Of the form that the strategy asks for. */
  readonly answer?: Json;
  /** Why an answer was not taken, or a decision not carried out. */
  readonly problem?: string;
  /** Tokens and cost of these exchanges; cost is null when one of them is. */
  readonly usage: TokenUsage;
  readonly cost: string | null;
}

/** What a model's decider writes down. Neither keys, nor addresses, nor wall-clock times are in it. */
export type ModelEvent =
  | {
      /** Once for each role, before the first exchange: what stays the same in all of them. */
      readonly type: 'model_configured';
      readonly bar: number;
      readonly role?: string;
      readonly model: string;
      readonly provider: string;
      readonly api: 'chat' | 'responses';
      readonly tools: Json;
      /** Everything else that shapes requests or outcomes. */
      readonly configuration: Json;
      /** US dollars per million tokens, or null when the price is not known. */
      readonly price: Json;
    }
  | (Speaker & {
      /** One exchange with a model: a request and its reply, or its failure. */
      readonly type: 'model_called';
      readonly bar: number;
      readonly sample: number;
      readonly round: number;
      readonly attempt: number;
      /** What this round added to the conversation; empty from the second attempt on. */
      readonly added: Json;
      /** SHA-256 of the canonical request. */
      readonly request: string;
      readonly reply?: Json;
      readonly failure?: ModelFailure;
      /** The model's name and `system_fingerprint` of the answer, where it had any. */
      readonly served?: ServedBy;
      /** Null when the server did not say. */
      readonly usage: TokenUsage | null;
      /** US dollars as a decimal string; null when tokens or price are not known. */
      readonly cost: string | null;
    })
  | (Speaker & {
      readonly type: 'limit_reached';
      readonly bar: number;
      readonly sample: number;
      /** The round that was not begun. */
      readonly round: number;
      /** `run` ends the run, `decision` this decision, `role` what a role says in it. */
      readonly scope: 'run' | 'decision' | 'role';
      readonly limit: 'tokens' | 'usd' | 'calls' | 'seconds' | 'decisions';
      readonly allowed: number;
    })
  | (Speaker & {
      /** A model that could not be reached, and what the strategy's policy made of it. */
      readonly type: 'model_unavailable';
      readonly bar: number;
      readonly sample: number;
      readonly round: number;
      readonly attempts: number;
      readonly failure: ModelFailure;
      readonly policy: 'hold' | 'stop';
    })
  | (SpokenEnd & {
      /** What a role came to within a decision. */
      readonly type: 'role_spoke';
      readonly bar: number;
      readonly sample: number;
      readonly role: string;
      readonly step: number;
    })
  | (SpokenEnd & {
      /** The end of one decision. */
      readonly type: 'decision_made';
      readonly bar: number;
      readonly sample: number;
    });
