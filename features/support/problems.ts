/** Errors of one scenario. One that no step looked at fails the scenario, whatever its steps say. */
export class Problems {
  readonly #unseen = new Map<object, string>();

  /** @param owner what went wrong: an answer, a refusal, a process that ended badly */
  note(owner: object, text: string): void {
    this.#unseen.set(owner, text);
  }

  /** A step has looked at it. */
  seen(owner: object): void {
    this.#unseen.delete(owner);
  }

  /** @throws Error naming every error that nobody looked at */
  check(): void {
    const texts = [...this.#unseen.values()];
    if (texts.length === 0) return;
    throw new Error(
      `No step looked at ${texts.length} error(s):\n${texts.map((text) => `  ${text}`).join('\n')}`,
    );
  }
}
