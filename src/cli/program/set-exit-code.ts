/** Takes the exit code that a command ends with; one that says nothing ends with 0. */
export type SetExitCode = (code: number) => void;
