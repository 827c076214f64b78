/** Research that consists of many runs, as one row of the list. The row opens to show details. */
export interface ResearchRow {
  /** Name of the folder. */
  readonly name: string;
  readonly kind: 'study' | 'sweep' | 'stress test' | 'samples';
  /** Displayed title. */
  readonly title: string;
  readonly strategy: string;
  readonly symbols: readonly string[];
  readonly state: 'finished' | 'running' | 'stopped' | 'damaged';
  /** Problem with the folder and how to fix it. Empty for a folder without problems. */
  readonly problem: string;
  readonly done: number;
  /** Total number of units. `null` if unknown. */
  readonly planned: number | null;
  /** Name of the units in the plural, for example "trials". */
  readonly unit: string;
  readonly what: string;
  readonly answer: { readonly tone: '' | 'good' | 'bad'; readonly word: string; readonly text: string };
  readonly hasPage: boolean;
  readonly inside: readonly Inside[];
}

/** Table in the details of a row. */
export interface Inside {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** Run that the row belongs to, as a path relative to the results folder. */
    readonly run?: string;
  }[];
  /** Number of rows that are not shown. */
  readonly more: number;
}
