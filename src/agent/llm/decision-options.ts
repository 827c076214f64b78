import type { BarContext, Speaker } from '../../engine/index.ts';
import type { ToolDefinition, Toolkit } from '../../toolkit/index.ts';
import type { Budget, Spending } from '../model/budget.ts';
import type { Exchanger } from '../model/exchange.ts';
import type { Message } from '../model/types.ts';
import type { Recording } from '../record/recording.ts';
import type { AnswerForm } from './output/answer-form.ts';

/** Options of one decision. */
export interface DecisionOptions {
  /** Turn as the model may see it. */
  readonly turn: BarContext;
  readonly sample: number;
  /** Role that decides, and its step in the decision. Absent in a strategy with one prompt. */
  readonly speaker?: Speaker | undefined;
  /** System prompt and observation. */
  readonly opening: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly toolkit: Toolkit;
  /** Required form of the answer. Default: any text. */
  readonly form?: AnswerForm | undefined;
  /** If true, the calls derived from an answer are not made here. The caller makes them. */
  readonly onlyAnswers?: boolean;
  readonly rounds: number;
  readonly toolOutputCharacters: number;
  /** Maximum number of tokens of a request, without the reply. */
  readonly contextTokens: number;
  readonly exchanger: Exchanger;
  readonly policy: 'hold' | 'stop';
  /** If true, tool calls that the model writes as text are made. */
  readonly textToolCalls: boolean;
  /** True if the previous decision was skipped because the server permanently refused its request. */
  readonly rejectedBefore: boolean;
  /** Budgets of this role in one decision, of the whole decision, and of the run. */
  readonly budget: Readonly<Record<'role' | 'decision' | 'run', Budget>>;
  readonly spent: Readonly<Record<'role' | 'decision' | 'run', Spending>>;
  readonly recording?: Recording | undefined;
  readonly replayOnly: boolean;
}
