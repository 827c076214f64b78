import { stat } from 'node:fs/promises';

/** Receives the number of bytes that were read, and the number of bytes of all files. */
export type ReadProgress = (done: number, total: number) => void;

/** Counts the bytes that were read of several files. */
export class BytesRead {
  readonly #sizes: readonly number[];
  readonly #total: number;
  readonly #report: ReadProgress;
  #file = -1;
  #before = 0;

  private constructor(sizes: readonly number[], report: ReadProgress) {
    this.#sizes = sizes;
    this.#total = sizes.reduce((sum, size) => sum + size, 0);
    this.#report = report;
  }

  /** Returns a counter, or `undefined` without a receiver. A file that cannot be examined has 0 bytes. */
  static async of(
    files: readonly string[],
    report: ReadProgress | undefined,
  ): Promise<BytesRead | undefined> {
    if (report === undefined) return undefined;
    const sizes = await Promise.all(
      files.map((file) =>
        stat(file).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return new BytesRead(sizes, report);
  }

  /** Begins the next file. Returns a function that receives the bytes that were read of the file. */
  startFile(): (done: number) => void {
    this.#file += 1;
    return (done) => this.#report(this.#before + done, this.#total);
  }

  endFile(): void {
    this.#before += this.#sizes[this.#file]!;
    this.#report(this.#before, this.#total);
  }
}
