/** Errors of a scenario. An error that no step checks fails the scenario. */
export class Problems {
  readonly #unseen = new Map<object, string>();

  /**
   * Records an error.
   *
   * @param owner answer, rejection or process that failed
   */
  note(owner: object, text: string): void {
    this.#unseen.set(owner, text);
  }

  /** Marks an error as checked. */
  seen(owner: object): void {
    this.#unseen.delete(owner);
  }

  /**
   * Fails if errors remain unchecked.
   *
   * @throws Error with the texts of all unchecked errors
   */
  check(): void {
    const texts = [...this.#unseen.values()];
    if (texts.length === 0) return;
    throw new Error(
      `No step looked at ${texts.length} error(s):\n${texts.map((text) => `  ${text}`).join('\n')}`,
    );
  }
}
