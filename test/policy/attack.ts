/**
 * Code that must not get what it is after, as data for any runner.
 *
 * An attack has succeeded when its reply is ok and its result is the string PWNED. One with a `setup` leaves
 * something behind in that first call, and its `code` looks for it in a second call of the same sandbox.
 */
export interface Attack {
  readonly name: string;
  readonly code: string;
  readonly setup?: string;
  /** What only the child process closes (the clock, memory limits): not for a runner inside this process. */
  readonly childOnly?: true;
}
