import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpFailure, request, retry, retryAfter } from '../../kernel/http/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';

/** Response to one request. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** SHA-256 of the body, as hex. */
  readonly sha256: string;
}

/** One request to a provider. */
export interface Request {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Query parameters that are never shown or stored, such as API keys. */
  readonly secret?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses other than 200 that the caller handles, such as 404. */
  readonly expected?: readonly number[];
}

export interface HttpOptions {
  readonly provider: string;
  readonly baseUrl: string;
  /** Minimum time between two requests, in ms. */
  readonly spacing: number;
  /** Environment from which keys are read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Length of one second of waiting, in ms. Default 1,000. Tests set a smaller value to run faster. */
  readonly second?: number;
  /** Maximum size of a response, in bytes. Default 256 MiB. */
  readonly maxBytes?: number;
  readonly onNote?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const ATTEMPTS = 6;
const LONGEST_WAIT = 120_000;
const IDLE_MS = 60_000;
/** Maximum time of a request, in ms. A provider may need minutes to return years of minute bars. */
const TOTAL_MS = 600_000;
const MAX_BYTES = 256 * 2 ** 20;

/** Error of a failed request that may succeed later. */
class Postponed extends Error {
  /** Wait time requested by the server, in ms. */
  readonly wait: number | undefined;

  constructor(problem: string, wait?: number) {
    super(problem);
    this.wait = wait;
  }
}

/** Sends requests to one provider: one at a time, within its rate limit, with retries. */
export class Http {
  readonly #options: HttpOptions;
  /** Earliest time of the next request. */
  #next = 0;
  /** End of the newest call of `get`, whether it succeeded or failed. */
  #last: Promise<unknown> = Promise.resolve();

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
   * Returns an API key from the environment.
   *
   * @param name name of the environment variable
   * @throws AppError `download_refused` if the variable is not set
   */
  key(name: string): string {
    const value = this.#options.environment[name]?.trim() ?? '';
    if (value === '')
      throw this.refused(
        `the environment variable ${name} is not set`,
        `Set ${name} to your key. Sandtable does not store it.`,
      );
    return value;
  }

  /**
   * Returns the response to a GET request. The request waits until earlier requests have ended, including
   * their retries.
   *
   * @throws AppError `download_refused` if a retry cannot help, `download_failed` if the server stays
   *   unavailable
   */
  get(wanted: Request): Promise<Answer> {
    const answer = this.#last.then(() => this.#get(wanted));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #get(wanted: Request): Promise<Answer> {
    try {
      return await retry(
        {
          attempts: ATTEMPTS,
          waitAfter: (error, attempt) => this.#waitAfter(error, attempt),
          onRetry: (error, wait) =>
            this.#options.onNote?.(
              `${this.#options.provider}: ${messageOf(error)}; next attempt in ${seconds(wait)}`,
            ),
          signal: this.#options.signal,
        },
        async () => {
          await this.#turn();
          return this.#attempt(wanted);
        },
      );
    } catch (error) {
      throw error instanceof Postponed ? this.failed(error.message, error.wait) : error;
    }
  }

  /**
   * Waits and reports the reason. Used when the body of a response requests a wait, for example a rate-limit
   * message with status 200.
   */
  async pause(milliseconds: number, why: string): Promise<void> {
    this.#options.onNote?.(`${this.#options.provider}: ${why}; waiting ${seconds(milliseconds)}`);
    await sleep(milliseconds, undefined, { signal: this.#options.signal });
  }

  failed(problem: string, wait = 0): AppError {
    const when = wait > LONGEST_WAIT ? ` in ${seconds(wait)}` : '';
    return new AppError({
      code: 'download_failed',
      kind: 'run',
      message: `${this.#options.provider}: ${problem}.`,
      hint: `The data received so far are saved. Run the same command again${when}: it requests only the rest.`,
    });
  }

  refused(problem: string, hint: string): AppError {
    return new AppError({
      code: 'download_refused',
      message: `${this.#options.provider}: ${problem}.`,
      hint,
    });
  }

  #waitAfter(error: unknown, attempt: number): number | undefined {
    if (!(error instanceof Postponed) || (error.wait ?? 0) > LONGEST_WAIT) return undefined;
    return error.wait ?? (this.second / 2) * 2 ** attempt;
  }

  async #turn(): Promise<void> {
    const wait = this.#next - Date.now();
    if (wait > 0) await sleep(wait, undefined, { signal: this.#options.signal });
    this.#next = Date.now() + this.#options.spacing;
  }

  async #attempt({ path, query, secret, headers, expected }: Request): Promise<Answer> {
    const url = new URL(`${this.#options.baseUrl}${path}`);
    for (const [name, value] of Object.entries({ ...query, ...secret })) url.searchParams.set(name, value);
    // Errors show the address without its query, which can contain keys.
    const where = `${url.host}${url.pathname}`;
    const { signal, maxBytes = MAX_BYTES } = this.#options;
    try {
      const response = await request(
        url,
        { headers: { 'user-agent': 'sandtable', ...headers }, signal },
        { maxBytes, idleMs: IDLE_MS, totalMs: TOTAL_MS },
      );
      const bytes = Buffer.from(await response.arrayBuffer());
      const { status } = response;
      if (status === 200 || expected?.includes(status) === true) {
        const sha256 = createHash('sha256').update(bytes).digest('hex');
        return { status, text: bytes.toString('utf8'), sha256 };
      }
      throw this.#problemOf(response, where, url);
    } catch (error) {
      if (error instanceof AppError || error instanceof Postponed) throw error;
      signal?.throwIfAborted();
      if (error instanceof HttpFailure && error.kind === 'too_large')
        throw this.refused(`${where}: ${error.message}`, 'Request a shorter period with --from and --to.');
      throw new Postponed(`no response from ${where} (${messageOf(error)})`);
    }
  }

  #problemOf({ status, headers }: Response, where: string, url: URL): Error {
    if (status === 429 || status >= 500)
      return new Postponed(`${where} responded with HTTP ${status}`, retryAfter(headers, Date.now()));
    if (status >= 300 && status < 400)
      return this.refused(
        `${where} redirects to ${hostOf(headers.get('location'), url)}, and redirects are not followed`,
        'Check the address of the provider. Check that no proxy or login page responds instead of it.',
      );
    if (status === 401 || status === 403)
      return this.refused(
        `${where} responded with HTTP ${status}: the key is missing, wrong, or not valid for these data`,
        KEY_HINT,
      );
    return this.refused(
      `${where} responded with HTTP ${status}`,
      'Check the symbol, the interval and the dates.',
    );
  }
}

const KEY_HINT = 'Keys are read from the environment. docs/download.md lists the variables.';

function hostOf(location: string | null, base: URL): string {
  return location !== null && URL.canParse(location, base) ? new URL(location, base).host : 'another address';
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
