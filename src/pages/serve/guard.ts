import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError, parseJsonInput } from '../../kernel/index.ts';

/** Error with the HTTP status of the response. */
export class HttpError extends AppError {
  readonly status: number;

  constructor(status: number, code: string, message: string, hint: string) {
    super({ code, message, hint });
    this.status = status;
  }
}

/** Headers of every response. */
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
 * Accepts only requests addressed to this machine.
 *
 * A foreign page can let its host name resolve to 127.0.0.1 (DNS rebinding). Its requests still contain the
 * foreign name in the Host header.
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
 * Checks the token of a request.
 *
 * @throws HttpError 401 unless the request contains the token of this start
 */
export function checkToken(request: IncomingMessage, token: string): void {
  const given = request.headers[TOKEN_HEADER];
  // Hashes have equal length, and their comparison does not reveal how many characters are correct.
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
 * Returns the JSON body of a request.
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
