/** Sets the exit code of a command. Default: 0. */
export type SetExitCode = (code: number) => void;
