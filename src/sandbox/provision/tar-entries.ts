const BLOCK_BYTES = 512;

/**
 * Lists the regular files of an uncompressed tar archive.
 *
 * Source of the layout: POSIX.1 ustar. Enough for npm's tarballs, whose names fit the header.
 *
 * @returns names with views into `archive`
 */
export function* tarEntries(archive: Buffer): Generator<{ name: string; bytes: Buffer }> {
  let offset = 0;
  while (offset + BLOCK_BYTES <= archive.length) {
    const header = archive.subarray(offset, offset + BLOCK_BYTES);
    const name = text(header, 0, 100);
    if (name === '') return;
    const size = Number.parseInt(text(header, 124, 12).trim(), 8);
    if (!Number.isInteger(size)) throw new Error(`tar header of ${name} has no readable size`);
    const start = offset + BLOCK_BYTES;
    const type = header[156];
    if (type === 0 || type === 0x30) yield { name, bytes: archive.subarray(start, start + size) };
    offset = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
  }
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end < 0 ? length : end);
}
