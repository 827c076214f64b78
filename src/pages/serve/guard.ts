import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../kernel/index.ts';

/** An error with the status that the browser gets. */
export class HttpError extends AppError {
  readonly status: number;

  constructor(status: number, code: string, message: string, hint: string) {
    super({ code, message, hint });
    this.status = status;
  }
}

/** What every answer carries, whatever it is. */
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
 * Lets in only who asked for this machine by its own name.
 *
 * A page of another site can make its own name mean 127.0.0.1 (DNS rebinding); its requests still carry that name.
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

/** @throws HttpError 401 unless the request carries the token of this start */
export function checkToken(request: IncomingMessage, token: string): void {
  const given = request.headers[TOKEN_HEADER];
  // Hashes are of one length, and comparing them tells nothing about how much was right.
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  if (typeof given === 'string' && timingSafeEqual(hash(given), hash(token))) return;
  throw new HttpError(
    401,
    'no_token',
    'Changing something needs the token of this server.',
    'Open the address that sandtable serve printed, with everything after the #.',
  );
}

/** @throws HttpError 400, 413 */
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
    return JSON.parse(Buffer.concat(pieces).toString('utf8')) as unknown;
  } catch {
    throw new HttpError(400, 'bad_request', 'The request is no JSON.', 'Send JSON.');
  }
}
