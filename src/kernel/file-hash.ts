import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/**
 * Returns the SHA-256 of a file in lower-case hexadecimal. Reads the file in chunks. Rejects with the error
 * of Node if the file cannot be read.
 */
export async function hashOfFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
