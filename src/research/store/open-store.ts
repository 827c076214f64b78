import { AppError } from '../../kernel/index.ts';
import type { ContentStore } from './content-store.ts';
import { folderStore } from './folder-store.ts';

/**
 * Opens the store given by `--store`: a folder, or `s3://bucket/prefix`.
 *
 * @throws AppError `bad_store`, `package_missing`
 */
export async function openStore(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ContentStore> {
  if (address.trim() === '') throw badStore('--store is empty.');
  if (address.startsWith('s3:')) return (await import('./s3-store.ts')).s3Store(address, environment);
  const [scheme] = /^[a-z][a-z0-9+.-]+:\/\//i.exec(address) ?? [];
  if (scheme !== undefined) throw badStore(`--store cannot be a place of the kind ${scheme}…`);
  return folderStore(address);
}

function badStore(message: string): AppError {
  return new AppError({
    code: 'bad_store',
    message,
    hint: 'Name a folder that all machines share, or s3://bucket/prefix.',
  });
}
