import { createHmac, timingSafeEqual } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { AppError } from '../../kernel/index.ts';

/** Environment variable with the secret that all machines of a sweep share. */
export const SECRET_VARIABLE = 'SANDTABLE_SWEEP_SECRET';

/** Document in Redis with a signature that only owners of the secret can create. */
export interface Signed {
  /** JSON, compressed, in base64. */
  readonly body: string;
  /** HMAC-SHA256 of the kind and the body, in hexadecimal. */
  readonly signature: string;
}

/**
 * Kind of a document. The signature includes it, so a document signed as a job is not accepted as a result.
 */
type DocumentKind = 'sweep' | 'job' | 'result';

/** Signs documents and opens signed documents. */
export interface Signer {
  sign(kind: DocumentKind, document: unknown): Signed;
  /**
   * Checks a signature and parses the document.
   *
   * @returns the document, or the reason why it is refused, as the end of a sentence
   */
  open(kind: DocumentKind, signed: unknown): { readonly document: unknown } | { readonly refused: string };
}

/**
 * Reads the shared secret.
 *
 * @throws AppError `no_sweep_secret`
 */
export function signerFrom(environment: Readonly<Record<string, string | undefined>>): Signer {
  const secret = environment[SECRET_VARIABLE] ?? '';
  if (secret === '')
    throw new AppError({
      code: 'no_sweep_secret',
      message: `A sweep on many machines needs a shared secret, and ${SECRET_VARIABLE} is not set.`,
      hint: `Set the same one on every machine, such as: export ${SECRET_VARIABLE}="$(openssl rand -hex 32)"`,
    });
  return signerOf(secret);
}

export function signerOf(secret: string): Signer {
  const signatureOf = (kind: DocumentKind, body: string): Buffer =>
    createHmac('sha256', secret).update(`sandtable ${kind}\n${body}`).digest();
  return {
    sign(kind, document) {
      const body = deflateRawSync(JSON.stringify(document)).toString('base64');
      return { body, signature: signatureOf(kind, body).toString('hex') };
    },
    open(kind, signed) {
      const { body, signature } = (signed ?? {}) as Partial<Record<keyof Signed, unknown>>;
      if (typeof body !== 'string' || typeof signature !== 'string' || signature === '')
        return { refused: 'it is not signed' };
      const given = Buffer.from(signature, 'hex');
      const right = signatureOf(kind, body);
      if (given.length !== right.length || !timingSafeEqual(given, right))
        return { refused: `its signature does not fit ${SECRET_VARIABLE}` };
      return {
        document: JSON.parse(inflateRawSync(Buffer.from(body, 'base64')).toString('utf8')) as unknown,
      };
    },
  };
}
