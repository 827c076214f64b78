/**
 * Detects tool calls whose answers a strategy in TypeScript or JavaScript does not read, for example because
 * of a forgotten `await`.
 */

/** Promise of a tool's answer that reports when it is first read by `await`, `then` or `Promise.all`. */
class Answer<Value> extends Promise<Value> {
  #onRead: (() => void) | undefined;

  /** Promises that `then` derives from an answer are plain promises, not instances of `Answer`. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static of<Value>(answer: Promise<Value>, onRead: () => void): Answer<Value> {
    const made = new Answer<Value>((resolve, reject) => void answer.then(resolve, reject));
    made.#onRead = onRead;
    return made;
  }

  // `await` calls the method `then` of a subclass of `Promise`, but not of a plain promise. This method
  // therefore also detects an `await`.
  // biome-ignore lint/suspicious/noThenProperty: a promise is a thenable
  override then<Result = Value, Failed = never>(
    fulfilled?: ((value: Value) => Result | PromiseLike<Result>) | null,
    rejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    this.#onRead?.();
    return super.then(fulfilled, rejected);
  }
}

/** Tool calls of one decision whose answers have not been read. */
export class UnreadCalls {
  #tools = new Map<object, string>();

  /** Removes all calls. Must be called at the start of each decision. */
  clear(): void {
    // Most decisions call no tool. A new map for each bar would be most of the memory that a run discards.
    if (this.#tools.size > 0) this.#tools = new Map();
  }

  /**
   * Returns a promise of the same answer. The call counts as unread until the strategy awaits this promise.
   */
  watch<Value>(tool: string, answer: Promise<Value>): Promise<Value> {
    const call = {};
    const tools = this.#tools.set(call, tool);
    return Answer.of(answer, () => tools.delete(call));
  }

  /** Names of the tools whose answers have not been read, in the order of the calls. */
  get tools(): string[] {
    return [...this.#tools.values()];
  }
}
