import type { Metrics, SpineRow } from '../../../analysis/index.ts';
import type { RunRecord } from '../../../journal/index.ts';
import type { Content } from '../../shared/html.ts';
import type { PageData } from '../model/page-data.ts';
import type { Spread } from '../model/spread.ts';

/** What the short answers are made from. */
export interface QuestionSource {
  readonly record: RunRecord;
  /** The same, of the bars that count. */
  readonly counted: RunRecord;
  readonly metrics: Metrics;
  readonly spine: readonly SpineRow[];
  readonly spread: Spread;
  readonly data: PageData;
}

/** A question, where the page answers it at length, and the answer in a line. */
export interface Short {
  readonly question: string;
  /** Id of a part of the page. */
  readonly at: string;
  readonly answer: Content;
  readonly detail: Content;
  readonly tone?: 'good' | 'bad';
}
