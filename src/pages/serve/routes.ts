import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, parseJsonInput } from '../../kernel/index.ts';

/** Error that also contains the HTTP status of the response. */
export class HttpError extends AppError {
  readonly status: number;

  constructor(status: number, code: string, message: string, hint: string) {
    super({ code, message, hint });
    this.status = status;
  }
}

/** Security headers of every response. */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

const TOKEN_HEADER = 'x-sandtable-token';

/**
 * Checks that a request is addressed to this machine.
 *
 * A page of another site can make its host name resolve to 127.0.0.1 (DNS rebinding). Its requests have this
 * host name in the Host header, so they are rejected.
 *
 * @throws HttpError 403, 421
 */
export function checkHost(request: IncomingMessage, port: number): void {
  const { host, origin } = request.headers;
  if (!ownNames(port).includes(host ?? ''))
    throw new HttpError(
      421,
      'other_host',
      'This server answers for this machine only.',
      `Open http://127.0.0.1:${port}/ instead.`,
    );
  if (origin !== undefined && !ownNames(port).some((name) => origin === `http://${name}`))
    throw new HttpError(403, 'other_origin', 'Another site asked.', 'Open the page of this server itself.');
}

function ownNames(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`, ...(port === 80 ? ['127.0.0.1', 'localhost'] : [])];
}

/**
 * Checks the token of a request. Each start of the server generates a new token.
 *
 * @throws HttpError 401 if the token is missing or wrong
 */
export function checkToken(request: IncomingMessage, token: string): void {
  const given = request.headers[TOKEN_HEADER];
  // `timingSafeEqual` requires equal lengths, so hashes are compared. Its duration does not reveal how many
  // characters are correct.
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  if (typeof given === 'string' && timingSafeEqual(hash(given), hash(token))) return;
  throw new HttpError(
    401,
    'no_token',
    'Changing something needs the token of this server.',
    'Open the address that sandtable serve printed, with everything after the #.',
  );
}

/**
 * Returns the parsed JSON body of a request.
 *
 * @param limit maximum size in bytes
 *
 * @throws HttpError 400, 413
 */
export async function jsonBody(request: IncomingMessage, limit = 16 * 1024): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > limit)
      throw new HttpError(413, 'too_long', 'The request is too long.', `Send at most ${limit} bytes.`);
    pieces.push(piece);
  }
  try {
    return parseJsonInput(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw new HttpError(400, 'bad_request', 'The request is no JSON.', 'Send JSON.');
  }
}

/** Page or function of the server that a request addresses. */
export type Route =
  | { readonly name: 'list' | 'runs' | 'choices' | 'parameters' | 'check' | 'start' }
  | { readonly name: 'live'; readonly since: string | null }
  | { readonly name: 'compare' | 'curves'; readonly runs: readonly string[] }
  | { readonly name: 'research'; readonly folder: string }
  | { readonly name: 'report' | 'trace' | 'run' | 'notes' | 'runLive' | 'request'; readonly run: string }
  | { readonly name: 'pause' | 'stop' | 'resume'; readonly run: string }
  | { readonly name: 'steps'; readonly run: string; readonly query: URLSearchParams }
  | { readonly name: 'bar'; readonly run: string; readonly bar: number }
  | { readonly name: 'overview'; readonly run: string; readonly symbol: number };

const METHODS: Readonly<Partial<Record<Route['name'], string>>> = {
  run: 'DELETE',
  notes: 'PUT',
  parameters: 'POST',
  check: 'POST',
  start: 'POST',
  pause: 'POST',
  stop: 'POST',
  resume: 'POST',
};

/**
 * Routes that change something, start a process or show files of the project. Requests for them must contain
 * the token.
 */
export const GUARDED: ReadonlySet<Route['name']> = new Set([
  ...(Object.keys(METHODS) as Route['name'][]),
  'choices',
  'request',
]);

/**
 * Parses the target of a request. Names of runs are decoded here and validated by `RunStore`.
 *
 * @param target path and query as received
 * @throws HttpError 400, 404, 405
 */
export function routeOf(method: string, target: string): Route {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const parts = path.split('/').slice(1).map(decoded);
  // `GET /api/start` returns the choices of the form, and `POST /api/start` sends the form.
  const isForm = path === '/api/start' && (method === 'GET' || method === 'HEAD');
  const route: Route | undefined = isForm ? { name: 'choices' } : match(parts, new URLSearchParams(query));
  if (route === undefined)
    throw new HttpError(404, 'no_page', 'There is no such page here.', 'Go back to the list of runs.');
  const needed = METHODS[route.name];
  const allowed = needed === undefined ? method === 'GET' || method === 'HEAD' : method === needed;
  if (!allowed)
    throw new HttpError(
      405,
      'bad_method',
      `${needed ?? 'GET'} is what this address takes.`,
      'Use that method.',
    );
  return route;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(
      400,
      'bad_address',
      'The address is wrongly encoded.',
      'Go back to the list of runs.',
    );
  }
}

function match(parts: readonly string[], query: URLSearchParams): Route | undefined {
  const [first = '', second = '', third, fourth, fifth, sixth] = parts;
  if (sixth !== undefined) return undefined;
  if (parts.length === 1 && first === '') return { name: 'list' };
  if (parts.length === 1 && first === 'compare') return { name: 'compare', runs: query.getAll('run') };
  if (first === 'runs' && parts.length === 3 && (third === 'report' || third === 'trace'))
    return { name: third, run: second };
  if (first === 'research' && parts.length === 2) return { name: 'research', folder: second };
  if (first !== 'api') return undefined;
  if (parts.length === 2 && second === 'runs') return { name: 'runs' };
  if (parts.length === 2 && second === 'live') return { name: 'live', since: query.get('since') };
  if (parts.length === 2 && second === 'start') return { name: 'start' };
  if (parts.length === 3 && second === 'start' && (third === 'check' || third === 'parameters'))
    return { name: third };
  if (parts.length === 2 && second === 'curves') return { name: 'curves', runs: query.getAll('run') };
  if (second !== 'runs' || third === undefined) return undefined;
  return matchRun(third, parts.length, fourth, fifth, query);
}

function matchRun(
  run: string,
  length: number,
  what: string | undefined,
  number: string | undefined,
  query: URLSearchParams,
): Route | undefined {
  if (length === 3) return { name: 'run', run };
  if (length === 5 && what === 'bars') return { name: 'bar', run, bar: wholeNumber(number, 'bar') };
  if (length !== 4) return undefined;
  switch (what) {
    case 'notes':
    case 'request':
    case 'pause':
    case 'stop':
    case 'resume':
      return { name: what, run };
    case 'live':
      return { name: 'runLive', run };
    case 'steps':
      return { name: 'steps', run, query };
    case 'overview':
      return { name: 'overview', run, symbol: wholeNumber(query.get('symbol') ?? '0', 'symbol') };
    default:
      return undefined;
  }
}

/**
 * Parses a whole number with at most nine digits.
 *
 * @throws HttpError 400
 */
export function wholeNumber(text: string | null | undefined, name: string): number {
  if (text !== null && text !== undefined && /^\d{1,9}$/.test(text)) return Number(text);
  throw new HttpError(400, 'bad_number', `${name} must be a whole number.`, 'Give digits only.');
}

/** Milliseconds between two checks for events that must be sent to an open page. */
const LOOK_EVERY = 500;
/**
 * Number of checks without events after which a comment line is sent. Only writing reveals that a connection
 * is closed.
 */
const BEAT_EVERY = 30;

/** Server-sent event. */
export interface LiveEvent {
  readonly name: string;
  readonly data: unknown;
}

/** Streams of server-sent events to the open pages. */
export class LiveStreams {
  readonly #open = new Set<ServerResponse>();

  /**
   * Checks for events twice per second and sends them. Ends when the page disconnects or the last events are
   * sent.
   *
   * @param look returns the events to send. `last` is true if no further events will follow
   */
  start(
    response: ServerResponse,
    look: () => Promise<{ readonly events: readonly LiveEvent[]; readonly last: boolean }>,
  ): void {
    response.writeHead(200, { ...SAFE_HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 2000\n\n');
    this.#open.add(response);
    let beats = 0;
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      clearTimeout(timer);
      this.#open.delete(response);
    };
    const turn = async (): Promise<void> => {
      const { events, last } = await look();
      if (!this.#open.has(response)) return;
      // The data of an event must be one line. This is the case, because `JSON.stringify` writes no line
      // breaks.
      for (const { name, data } of events)
        response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      beats += 1;
      if (beats % BEAT_EVERY === 0) response.write(': here\n\n');
      if (last) {
        stop();
        response.end();
        return;
      }
      timer = setTimeout(() => void next(), LOOK_EVERY);
    };
    const next = (): Promise<void> =>
      turn().catch(() => {
        stop();
        response.end();
      });
    response.on('close', stop);
    void next();
  }

  closeAll(): void {
    for (const response of this.#open) response.end();
    this.#open.clear();
  }
}
