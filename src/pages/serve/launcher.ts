/** Field of the form for a new run. Derived from the schema of a setting or of a strategy's parameter. */
export interface StartField {
  /** Name in the request: the name of a flag in camel case, or of a parameter. */
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly group: string;
  readonly kind: 'text' | 'date' | 'number' | 'switch' | 'choice';
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  /** Value that applies if the field is empty. Empty if unknown. */
  readonly initial: string;
  /** True if only sweeps have the field. */
  readonly isOfSweeps?: boolean;
}

/** Everything that can be chosen for a new run, except the parameters of the strategy. */
export interface StartChoices {
  /** Files of the project, relative to it. */
  readonly strategies: readonly string[];
  readonly data: readonly string[];
  readonly fields: readonly StartField[];
}

/** Run or sweep to start, as filled in. Empty values are omitted. */
export interface StartRequest {
  readonly command: 'run' | 'sweep';
  readonly strategy: string;
  readonly data: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Command line of a request. */
export interface StartCommand {
  /** Same command for a terminal. */
  readonly command: string;
  /** Problems of the request. Empty if it can be started. */
  readonly problem: string;
}

export interface Started {
  readonly command: string;
  /** Folder of the run or sweep, relative to the results folder. */
  readonly folder: string;
}

/** Starts, ends and resumes runs as processes of the command line. */
export interface Launcher {
  choices(): StartChoices;
  /**
   * Returns the parameters of a strategy. Loads it in a separate process.
   *
   * @throws AppError if the strategy is not one of the choices or cannot be loaded
   */
  parameters(strategy: unknown): Promise<readonly StartField[]>;
  /** Returns the command line of a request that is not validated. */
  check(request: unknown): StartCommand;
  /** @throws AppError `start_refused`, `start_failed`, `too_many_runs` */
  start(request: unknown): Promise<Started>;
  /**
   * Returns a request that repeats a run.
   *
   * @param folder folder of the run
   */
  requestOf(folder: string): StartRequest;
  /** @throws AppError `start_failed`, `too_many_runs` */
  resume(folder: string): Promise<Started>;
  /**
   * Ends a run that this server started: after its current decision (`pause`) or immediately (`stop`).
   *
   * @throws AppError `not_started_here`
   */
  end(folder: string, how: 'pause' | 'stop'): void;
  /** True if this server started the process that writes the folder. */
  owns(folder: string): boolean;
}
