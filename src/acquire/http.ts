import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, messageOf } from '../kernel/index.ts';

/** An answer that was taken. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Hex digest of its bytes. */
  readonly sha256: string;
}

export interface Request {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Parts of the query that are never shown or written down. */
  readonly secret?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers beside 200 that the caller reads, such as 404. */
  readonly expected?: readonly number[];
}

export interface HttpOptions {
  readonly provider: string;
  readonly baseUrl: string;
  /** Milliseconds between two requests. */
  readonly spacing: number;
  /** Where keys are read from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds of a second of waiting: less in tests. */
  readonly second?: number;
  readonly onNote?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TRIES = 6;
const LONGEST_WAIT = 120_000;
const TIMEOUT = 60_000;

/** Asks one server: in turn, no faster than it allows, and again where it is busy. */
export class Http {
  readonly #options: HttpOptions;
  #next = 0;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  get second(): number {
    return this.#options.second ?? 1_000;
  }

  /**
   * A key from the environment.
   *
   * @throws AppError `download_refused` naming the variable
   */
  key(name: string): string {
    const value = this.#options.environment[name]?.trim() ?? '';
    if (value === '')
      throw this.refused(`the environment has no ${name}`, `Set ${name} to your key; it is written nowhere.`);
    return value;
  }

  /**
   * @throws AppError `download_refused` for an answer that asking again does not change, `download_failed` where the server
   *   stays busy or away
   */
  async get(request: Request): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      await this.#turn();
      const outcome = await this.#ask(request);
      if ('answer' in outcome) return outcome.answer;
      if (attempt === TRIES || outcome.wait > LONGEST_WAIT) throw this.failed(outcome.problem, outcome.wait);
      const wait = outcome.wait >= 0 ? outcome.wait : (this.second / 2) * 2 ** attempt;
      this.#options.onNote?.(
        `${this.#options.provider}: ${outcome.problem}; asking again in ${seconds(wait)}`,
      );
      await sleep(wait, undefined, { signal: this.#options.signal });
    }
  }

  /** Waits as a server's own words ask for, where its status does not. */
  async pause(milliseconds: number, why: string): Promise<void> {
    this.#options.onNote?.(`${this.#options.provider}: ${why}; waiting ${seconds(milliseconds)}`);
    await sleep(milliseconds, undefined, { signal: this.#options.signal });
  }

  failed(problem: string, wait = -1): AppError {
    const when = wait > LONGEST_WAIT ? ` in ${seconds(wait)}` : '';
    return new AppError({
      code: 'download_failed',
      kind: 'run',
      message: `${this.#options.provider}: ${problem}.`,
      hint: `What has come is kept: run the same command again${when}, and it asks only for the rest.`,
    });
  }

  refused(problem: string, hint: string): AppError {
    return new AppError({
      code: 'download_refused',
      message: `${this.#options.provider}: ${problem}.`,
      hint,
    });
  }

  async #turn(): Promise<void> {
    const wait = this.#next - Date.now();
    if (wait > 0) await sleep(wait, undefined, { signal: this.#options.signal });
    this.#next = Date.now() + this.#options.spacing;
  }

  async #ask({
    path,
    query,
    secret,
    headers,
    expected,
  }: Request): Promise<{ readonly answer: Answer } | { readonly problem: string; readonly wait: number }> {
    const url = new URL(`${this.#options.baseUrl}${path}`);
    for (const [name, value] of Object.entries({ ...query, ...secret })) url.searchParams.set(name, value);
    // The address without its query: keys may be in there.
    const where = `${url.host}${url.pathname}`;
    const timeout = AbortSignal.timeout(TIMEOUT);
    const { signal } = this.#options;
    try {
      const response = await fetch(url, {
        headers: { 'user-agent': 'sandtable', ...headers },
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const { status } = response;
      if (status === 200 || expected?.includes(status) === true) {
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return { answer: { status, text: bytes.toString('utf8'), sha256 } };
      }
      if (status === 429 || status >= 500)
        return {
          problem: `${where} answers ${status}`,
          wait: retryAfter(response.headers.get('retry-after')),
        };
      if (status === 401 || status === 403)
        throw this.refused(
          `${where} answers ${status}: the key is missing, wrong, or of a plan without these data`,
          KEY_HINT,
        );
      throw this.refused(`${where} answers ${status}`, 'Check the symbol, the interval and the dates.');
    } catch (error) {
      if (error instanceof AppError) throw error;
      signal?.throwIfAborted();
      const { cause } = error as { readonly cause?: unknown };
      return { problem: `${where} cannot be reached (${messageOf(cause ?? error)})`, wait: -1 };
    }
  }
}

const KEY_HINT = 'Keys are read from the environment: docs/download.md has their names.';

/** Milliseconds that a server asks to wait, by seconds or a date; -1 where it does not say. */
export function retryAfter(header: string | null, now = Date.now()): number {
  if (header === null) return -1;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? -1 : Math.max(0, date - now);
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
