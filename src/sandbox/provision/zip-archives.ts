const END_RECORD = Buffer.from('PK\x05\x06', 'latin1');
const FIRST_RECORD = Buffer.from('PK\x03\x04', 'latin1');
const END_RECORD_BYTES = 22;

/**
 * Finds each complete ZIP archive inside a larger file by its end-of-central-directory record.
 *
 * Source of the layout: PKWARE's APPNOTE.TXT, section 4.3.16. ZIP64 archives are not supported.
 *
 * @returns views into `bytes`, in the order of their ends; a match can be coincidental, so check a hash
 */
export function* findZipArchives(bytes: Buffer): Generator<Buffer> {
  for (let end = bytes.indexOf(END_RECORD); end >= 0; end = bytes.indexOf(END_RECORD, end + 1)) {
    if (end + END_RECORD_BYTES > bytes.length) return;
    const directoryBytes = bytes.readUInt32LE(end + 12);
    const directoryOffset = bytes.readUInt32LE(end + 16);
    const commentBytes = bytes.readUInt16LE(end + 20);
    const start = end - directoryBytes - directoryOffset;
    const stop = end + END_RECORD_BYTES + commentBytes;
    if (start < 0 || stop > bytes.length) continue;
    if (bytes.subarray(start, start + FIRST_RECORD.length).equals(FIRST_RECORD))
      yield bytes.subarray(start, stop);
  }
}
