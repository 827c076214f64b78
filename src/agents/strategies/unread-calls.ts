/** Tool calls of a rule strategy whose answers the strategy does not read, for example because of a forgotten `await`. */

/** Promise of a tool's answer that reports its first reader: `await`, `then` or `Promise.all`. */
class Answer<Value> extends Promise<Value> {
  #onRead: (() => void) | undefined;

  /** Promises derived from an answer are plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  static of<Value>(answer: Promise<Value>, onRead: () => void): Answer<Value> {
    const made = new Answer<Value>((resolve, reject) => void answer.then(resolve, reject));
    made.#onRead = onRead;
    return made;
  }

  // `await` calls `then` because the constructor is not `Promise`.
  // biome-ignore lint/suspicious/noThenProperty: a promise is a thenable
  override then<Result = Value, Failed = never>(
    fulfilled?: ((value: Value) => Result | PromiseLike<Result>) | null,
    rejected?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    this.#onRead?.();
    return super.then(fulfilled, rejected);
  }
}

/** Calls of one decision that have no reader yet. */
export class UnreadCalls {
  #tools = new Map<object, string>();

  /** Starts the next decision. */
  clear(): void {
    this.#tools = new Map();
  }

  /** Returns the same answer, which counts as unread until the strategy awaits it. */
  watch<Value>(tool: string, answer: Promise<Value>): Promise<Value> {
    const call = {};
    const tools = this.#tools.set(call, tool);
    return Answer.of(answer, () => tools.delete(call));
  }

  /** Names of the tools, in the order of the calls. */
  get tools(): string[] {
    return [...this.#tools.values()];
  }
}
