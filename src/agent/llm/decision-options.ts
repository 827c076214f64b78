import type { BarContext, Speaker } from '../../engine/index.ts';
import type { ToolDefinition, Toolkit } from '../../toolkit/index.ts';
import type { Budget, Spending } from '../model/budget.ts';
import type { Exchanger } from '../model/exchange.ts';
import type { Message } from '../model/types.ts';
import type { Recording } from '../record/recording.ts';
import type { AnswerForm } from './output/answer-form.ts';

/** What a decision is made with. */
export interface DecisionOptions {
  /** As the model may see it. */
  readonly turn: BarContext;
  readonly sample: number;
  /** The role that decides, and its place in the decision; left out where the strategy has one prompt. */
  readonly speaker?: Speaker | undefined;
  /** System prompt and observation. */
  readonly opening: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolkit: Toolkit;
  /** The form of the answer; any text where it is left out. */
  readonly form?: AnswerForm | undefined;
  /** Leaves the calls that an answer comes to for whoever asked. */
  readonly onlyAnswers?: boolean;
  readonly rounds: number;
  readonly toolOutputCharacters: number;
  /** Tokens that requests may take, the reply's own left out. */
  readonly contextTokens: number;
  readonly exchanger: Exchanger;
  readonly policy: 'hold' | 'stop';
  /** Makes calls that came as text. */
  readonly textToolCalls: boolean;
  /** Whether the decision before was held since the server refused its request for good. */
  readonly rejectedBefore: boolean;
  /** Of the role alone, of the whole decision, and of the run. */
  readonly budget: Readonly<Record<'role' | 'decision' | 'run', Budget>>;
  readonly spent: Readonly<Record<'role' | 'decision' | 'run', Spending>>;
  readonly recording?: Recording | undefined;
  readonly replayOnly: boolean;
}
