import type { S3Client } from '@aws-sdk/client-s3';
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

/** Timeouts of one request in milliseconds, and the number of attempts. */
export interface S3Patience {
  readonly connect: number;
  readonly request: number;
  readonly attempts: number;
}

const PATIENCE: S3Patience = { connect: 5_000, request: 60_000, attempts: 5 };

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
    // Other S3 services accept any region, and few have a host name for each bucket.
    region: environment.AWS_REGION || environment.AWS_DEFAULT_REGION || 'us-east-1',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: patience.attempts,
    requestHandler: {
      connectionTimeout: patience.connect,
      requestTimeout: patience.request,
      throwOnRequestTimeout: true,
    },
    // Sandtable checks the hash of every object itself. Some S3 services do not support these checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const keyOf = (hash: string): string => `${prefix}${objectPath(hash)}`;
  const placeOf = (hash: string): string => `s3://${bucket}/${keyOf(hash)}`;
  const failed = (error: unknown): AppError =>
    error instanceof AppError ? error : unreachable(address, problemOf(error), error);
  const fetched = async (hash: string): Promise<Buffer | undefined> => {
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: keyOf(hash) }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    } catch (error) {
      if (error instanceof sdk.NoSuchKey || nameOf(error) === 'NotFound') return undefined;
      throw failed(error);
    }
  };
  // A connection can break in the middle of a body. The client's retries do not cover this.
  const get = async (hash: string): Promise<Buffer | undefined> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await fetched(hash);
      } catch (error) {
        if (attempt >= Math.min(3, patience.attempts)) throw error;
      }
    }
  };
  return {
    name: address,
    async put(bytes) {
      const hash = contentHash(bytes);
      const there = await get(hash);
      if (there !== undefined) {
        checkObject(hash, there, placeOf(hash));
        return hash;
      }
      try {
        const object = { Bucket: bucket, Key: keyOf(hash), Body: bytes, IfNoneMatch: '*' };
        await client.send(new sdk.PutObjectCommand(object));
      } catch (error) {
        // Another machine stored the object first. The same name means the same content.
        if (!['PreconditionFailed', 'ConditionalRequestConflict'].includes(nameOf(error)))
          throw failed(error);
      }
      return hash;
    },
    async get(hash) {
      const bytes = await get(hash);
      if (bytes === undefined) throw missingObject(hash, address);
      return checkObject(hash, bytes, placeOf(hash));
    },
    close: () => client.destroy(),
  };
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
};

function problemOf(error: unknown): string {
  const known = PROBLEMS[nameOf(error)];
  if (known !== undefined) return known;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = messageOf(error).replace(/\.$/, '');
  return code === '' || text.includes(code) ? text : `${text} (${code})`;
}
