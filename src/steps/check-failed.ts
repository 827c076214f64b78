/** Error of a failed check. Has a message for traders and no stack trace. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';

  constructor(message: string) {
    super(message);
    this.stack = message;
  }
}
