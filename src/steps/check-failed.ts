/** What a check found is not what it should be; in a trader's words, and without a stack that would bury them. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';

  constructor(message: string) {
    super(message);
    this.stack = message;
  }
}
