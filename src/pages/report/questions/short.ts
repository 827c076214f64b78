import type { RunRecord } from '../../../journal/index.ts';
import type { Metrics, SpineRow } from '../../../results/analysis/index.ts';
import type { Content } from '../../shared/html.ts';
import type { PageData } from '../model/page-data.ts';
import type { Spread } from '../model/spread.ts';

/** Input for the short answers. */
export interface QuestionSource {
  readonly record: RunRecord;
  /** Record restricted to the evaluated bars. */
  readonly counted: RunRecord;
  readonly metrics: Metrics;
  readonly spine: readonly SpineRow[];
  readonly spread: Spread;
  readonly data: PageData;
}

/** Question with a one-line answer. */
export interface Short {
  readonly question: string;
  /** Id of the part of the page with details. */
  readonly at: string;
  readonly answer: Content;
  readonly detail: Content;
  readonly tone?: 'good' | 'bad';
}
