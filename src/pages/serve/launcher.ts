/** Field of the form for a new run. Derived from the schema of a setting or of a strategy parameter. */
export interface StartField {
  /** Name in a request: the name of a flag in camel case, or the name of a strategy parameter. */
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly group: string;
  readonly kind: 'text' | 'date' | 'number' | 'switch' | 'choice';
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
  /** Default value. Empty if unknown. */
  readonly initial: string;
  /** True if the field applies only to sweeps. */
  readonly isOfSweeps?: boolean;
}

/** Choices in the form for a new run. The parameters of the strategy are requested separately. */
export interface StartChoices {
  /** Paths of strategy and data files of the project, relative to the project folder. */
  readonly strategies: readonly string[];
  readonly data: readonly string[];
  readonly fields: readonly StartField[];
}

/** Run or sweep to start, with the values of the form. Fields without a value are omitted. */
export interface StartRequest {
  readonly command: 'run' | 'sweep';
  readonly strategy: string;
  readonly data: readonly string[];
  readonly values: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Command line for a request. */
export interface StartCommand {
  /** Command line that starts the same run or sweep in a terminal. */
  readonly command: string;
  /** Description of the request's problems. Empty if the request can be started. */
  readonly problem: string;
}

export interface Started {
  readonly command: string;
  /** Folder of the run or sweep, relative to the results folder. */
  readonly folder: string;
}

/** Starts, ends and resumes runs. Each run is a separate process of the command line program. */
export interface Launcher {
  choices(): StartChoices;
  /**
   * Returns the parameters of a strategy as fields. The strategy is loaded in a separate process.
   *
   * @throws AppError if the strategy is not one of the choices or cannot be loaded
   */
  parameters(strategy: unknown): Promise<readonly StartField[]>;
  /**
   * Returns the command line for a request. If the request is invalid, returns its problems. The request may
   * be any value.
   */
  check(request: unknown): StartCommand;
  /**
   * Starts a run or a sweep.
   *
   * @throws AppError `start_refused`, `start_failed`, `too_many_runs`
   */
  start(request: unknown): Promise<Started>;
  /**
   * Returns the request that would repeat a run.
   *
   * @param folder folder of the run
   */
  requestOf(folder: string): StartRequest;
  /**
   * Resumes a run.
   *
   * @throws AppError `start_failed`, `too_many_runs`
   */
  resume(folder: string): Promise<Started>;
  /**
   * Ends a run that this server has started. `pause` ends the run after its current decision, `stop` ends it
   * immediately.
   *
   * @throws AppError `not_started_here`
   */
  end(folder: string, how: 'pause' | 'stop'): void;
  /** True if this server has started the process that writes to the folder. */
  owns(folder: string): boolean;
}
