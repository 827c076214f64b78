/** Something that made many runs, as the list shows it: one row that opens to what is inside. */
export interface ResearchRow {
  /** Of its folder. */
  readonly name: string;
  readonly kind: 'study' | 'sweep' | 'stress test' | 'samples';
  /** What it is called. */
  readonly title: string;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly state: 'finished' | 'running' | 'stopped' | 'damaged';
  /** What is wrong with its folder and what to do; empty where nothing is. */
  readonly problem: string;
  readonly done: number;
  /** Null where nobody knows yet. */
  readonly planned: number | null;
  /** Plural: what it makes. */
  readonly unit: string;
  readonly what: string;
  readonly answer: { readonly tone: '' | 'good' | 'bad'; readonly word: string; readonly text: string };
  readonly hasPage: boolean;
  readonly inside: readonly Inside[];
}

/** A table inside a row. */
export interface Inside {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** The run that a row is of, by its way from the root. */
    readonly run?: string;
  }[];
  /** Rows beyond those that are shown. */
  readonly more: number;
}
