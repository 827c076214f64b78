/** Result of one check of a run. */
export interface Check {
  /** File or property that was checked. */
  readonly name: string;
  readonly outcome: 'verified' | 'failed' | 'not checked';
  /** Facts that were compared, the first difference, or the reason why nothing was compared. */
  readonly detail: string;
}
