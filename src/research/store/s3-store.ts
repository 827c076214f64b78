import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { retry } from '../../kernel/http/index.ts';
import { AppError, messageOf } from '../../kernel/index.ts';
import { optionalPackages } from '../optional-packages.ts';
import {
  type ContentStore,
  checkObject,
  contentHash,
  missingObject,
  objectPath,
  unreachable,
} from './content-store.ts';

/**
 * Limits of requests to an S3 service. All times are in milliseconds. `connect` is the timeout of a
 * connection attempt, `attempts` the maximum number of attempts per request.
 */
export interface S3Patience {
  readonly connect: number;
  /** Timeout until an answer begins, and between two received chunks of an answer, in milliseconds. */
  readonly request: number;
  /** Timeout for fetching or storing one object, including all attempts, in milliseconds. */
  readonly total: number;
  readonly attempts: number;
  /** Largest size of an object in bytes. */
  readonly bytes: number;
}

const PATIENCE: S3Patience = {
  connect: 5_000,
  request: 60_000,
  total: 3_600_000,
  attempts: 5,
  bytes: 2 * 1024 ** 3,
};

/** Largest size in bytes of an answer that does not contain an object, for example an error message. */
const MOST_OTHER = 2 ** 20;

/**
 * Store in any S3-compatible service. Keys, region and endpoint come from the standard AWS environment
 * variables.
 *
 * @param address `s3://bucket/prefix`
 * @throws AppError `bad_store`, `package_missing`
 */
export async function s3Store(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
  patience: S3Patience = PATIENCE,
): Promise<ContentStore> {
  const { bucket, prefix } = readAddress(address);
  const sdk = await optionalPackages(
    'A store in S3',
    ['@aws-sdk/client-s3'],
    () => import('@aws-sdk/client-s3'),
  );
  const endpoint = environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL || undefined;
  const client: S3Client = new sdk.S3Client({
    // The default region is `us-east-1`, because S3 services other than AWS accept any region.
    // `forcePathStyle` is used with a custom endpoint, because few services have a host name for each bucket.
    region: environment.AWS_REGION || environment.AWS_DEFAULT_REGION || 'us-east-1',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: patience.attempts,
    requestHandler: {
      connectionTimeout: patience.connect,
      requestTimeout: patience.request,
      throwOnRequestTimeout: true,
    },
    // The client's checksums are disabled, because some S3 services do not support checksums. Sandtable
    // checks the hash of every object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  limitAnswers(client, address, patience);
  const keyOf = (hash: string): string => `${prefix}${objectPath(hash)}`;
  const placeOf = (hash: string): string => `s3://${bucket}/${keyOf(hash)}`;
  const failed = (error: unknown): AppError =>
    error instanceof TooLarge ? error.refusal() : unreachable(address, problemOf(error), error);
  const fetched = async (hash: string, abortSignal: AbortSignal): Promise<Buffer | undefined> => {
    try {
      const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: keyOf(hash) });
      const { Body } = await client.send(command, { abortSignal });
      return Body === undefined ? Buffer.alloc(0) : Buffer.concat(await (Body as Readable).toArray());
    } catch (error) {
      if (error instanceof sdk.NoSuchKey || nameOf(error) === 'NotFound') return undefined;
      throw failed(error);
    }
  };
  // Fetches an object. Retries if the connection breaks in the middle of a body, because the client does not
  // retry in this case.
  const get = (hash: string, signal: AbortSignal): Promise<Buffer | undefined> => {
    const waitAfter = (error: unknown): number | undefined => {
      const isFinal = error instanceof AppError && error.code === 'store_damaged';
      return isFinal || signal.aborted ? undefined : 0;
    };
    const attempts = Math.min(3, patience.attempts);
    return retry({ attempts, waitAfter }, () => fetched(hash, signal));
  };
  return {
    name: address,
    async put(bytes) {
      const hash = contentHash(bytes);
      const abortSignal = AbortSignal.timeout(patience.total);
      const there = await get(hash, abortSignal);
      if (there !== undefined) {
        checkObject(hash, there, placeOf(hash));
        return hash;
      }
      try {
        const object = { Bucket: bucket, Key: keyOf(hash), Body: bytes, IfNoneMatch: '*' };
        await client.send(new sdk.PutObjectCommand(object), { abortSignal });
      } catch (error) {
        // Since the check above, another machine has stored an object with this name. This is not an error,
        // because equal names mean equal content.
        if (!['PreconditionFailed', 'ConditionalRequestConflict'].includes(nameOf(error)))
          throw failed(error);
      }
      return hash;
    },
    async get(hash) {
      const bytes = await get(hash, AbortSignal.timeout(patience.total));
      if (bytes === undefined) throw missingObject(hash, address);
      return checkObject(hash, bytes, placeOf(hash));
    },
    close: () => client.destroy(),
  };
}

/**
 * Limits the size and the time of every answer. Without these limits, a service that sends without end could
 * fill the memory, and a service that stops in the middle could block the worker.
 *
 * The S3 client limits only the time until an answer begins. It reads error answers of any size.
 */
function limitAnswers(client: S3Client, address: string, patience: S3Patience): void {
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request, options) => {
    const answer = await handle(request, options);
    const { abortSignal } = (options ?? {}) as { readonly abortSignal?: AbortSignal };
    const { statusCode } = answer.response;
    const body: unknown = answer.response.body;
    const isObject = request.method === 'GET' && statusCode < 300;
    const most = isObject ? patience.bytes : MOST_OTHER;
    const what = isObject ? `The object ${request.path} of ${address}` : `An answer of ${address}`;
    if (body instanceof Readable)
      answer.response.body = Readable.from(limited(body, what, most, patience.request, abortSignal), {
        objectMode: false,
      });
    return answer;
  };
}

/**
 * Error for an answer that is too large. The S3 client changes the message of an error, so the error is
 * recognised by its class.
 */
class TooLarge extends Error {
  readonly #what: string;
  readonly #most: number;

  constructor(what: string, most: number) {
    super('too large');
    this.#what = what;
    this.#most = most;
  }

  refusal(): AppError {
    return new AppError({
      code: 'store_damaged',
      message: `${this.#what} has more than ${this.#most} bytes.`,
      hint: 'Delete the object, and start the sweep again with less data or from a trusted store.',
      kind: 'run',
    });
  }
}

async function* limited(
  body: Readable,
  what: string,
  most: number,
  idle: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  const giveUp = (): void => {
    body.destroy(Object.assign(new Error('no answer in time'), { name: 'TimeoutError' }));
  };
  const timer = setTimeout(giveUp, idle);
  signal?.addEventListener('abort', giveUp);
  try {
    for await (const part of body) {
      bytes += (part as Buffer).length;
      if (bytes > most) throw new TooLarge(what, most);
      yield part as Buffer;
      timer.refresh();
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

function readAddress(address: string): { readonly bucket: string; readonly prefix: string } {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[^?#]*)?$/.exec(address) ?? [];
  if (bucket === undefined)
    throw new AppError({
      code: 'bad_store',
      message: `--store "${address.slice(0, 200)}" is not an address in S3.`,
      hint: 'Use s3://bucket/prefix. Endpoint and keys come from AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  const prefix = path.replace(/^\/+|\/+$/g, '');
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

const PROBLEMS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist',
  AccessDenied: 'access is denied',
  InvalidAccessKeyId: 'the service rejects AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY is wrong',
  CredentialsProviderError: 'AWS credentials are missing (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)',
  TimeoutError: 'no answer in time',
  AbortError: 'no complete answer in time',
};

function problemOf(error: unknown): string {
  const known = PROBLEMS[nameOf(error)];
  if (known !== undefined) return known;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = messageOf(error).replace(/\.$/, '');
  return code === '' || text.includes(code) ? text : `${text} (${code})`;
}
