import { type Announcement, type JobResult, type QueueJob, readDocument } from './messages.ts';
import type { Signer } from './secret.ts';

/** A signed document, or the reason why it is refused, as the end of a sentence. */
type Opened<Document> = { readonly read: Document } | { readonly refused: string };

interface Documents {
  readonly sweep: Announcement;
  readonly job: QueueJob;
  readonly result: JobResult;
}

/** Checks the signature, the version and the shape of a document. */
function openDocument<Kind extends keyof Documents>(
  signer: Signer,
  kind: Kind,
  signed: unknown,
): Opened<Documents[Kind]> {
  const opened = signer.open(kind, signed);
  return 'refused' in opened ? opened : readDocument(kind, opened.document);
}

/** Opens the announcement that Redis stores under the name of a sweep. */
export function openAnnouncement(signer: Signer, sweep: string, text: string): Opened<Announcement> {
  const opened = openDocument(signer, 'sweep', parsed(text));
  if ('refused' in opened) return { refused: `${opened.refused}.` };
  return opened.read.sweep === sweep ? opened : { refused: 'it was announced under another name.' };
}

/** Opens a job. A copy of a job in another sweep, or under another name, is refused. */
export function openJob(
  signer: Signer,
  { sweep, plan }: Pick<Announcement, 'sweep' | 'plan'>,
  id: string | undefined,
  data: unknown,
): Opened<QueueJob> {
  const opened = openDocument(signer, 'job', data);
  if ('refused' in opened) return opened;
  const { read } = opened;
  return read.sweep === sweep && read.plan === plan && read.batch === id
    ? opened
    : { refused: 'it belongs to another sweep or job' };
}

/** Opens the result of a job. A copy of the result of another job is refused. */
export function openResult(
  signer: Signer,
  sweep: string,
  job: string | undefined,
  value: unknown,
): Opened<JobResult> {
  const opened = openDocument(signer, 'result', value);
  if ('refused' in opened) return opened;
  const { read } = opened;
  return read.sweep === sweep && read.batch === job ? opened : { refused: 'it belongs to another job' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
