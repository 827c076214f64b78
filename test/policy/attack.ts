/**
 * Attack on the sandbox. The data can be used by several tests.
 *
 * An attack is successful if its reply is ok and its result is the text PWNED. With `setup`, a first call
 * runs `setup`, which leaves something behind. A second call of the same sandbox then runs `code`, which
 * looks for it.
 */
export interface Attack {
  readonly name: string;
  readonly code: string;
  readonly setup?: string;
  /**
   * True if only a real child process prevents the attack, for example by its clock or memory limit. Tests
   * inside this process skip it.
   */
  readonly childOnly?: true;
}
