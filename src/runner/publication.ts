import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { AppError } from '../kernel/index.ts';
import type { Publication } from '../results/runs/index.ts';

/** Flags that state where the hash of a registration was published, as evidence of its date. */
export interface PublicationOptions {
  /** SHA-256 in hex, or a file whose text contains it. */
  readonly published?: string | undefined;
  /** Annotated tag of the git repository in the current folder. */
  readonly tag?: string | undefined;
}

const HASH = /\b[0-9a-f]{64}\b/gi;

/**
 * Reads the place where a hash was published.
 *
 * @returns undefined if no place is named
 * @throws AppError `bad_publication`
 */
export function readPublication({ published, tag }: PublicationOptions): Publication | undefined {
  if (tag !== undefined) return ofTag(tag);
  if (published === undefined) return undefined;
  if (/^[0-9a-f]{64}$/i.test(published))
    return { place: 'the hash given with --published', hashes: [published.toLowerCase()], notes: [] };
  if (!existsSync(published))
    throw bad(
      `--published: "${published}" is neither a SHA-256 nor a file`,
      'Pass 64 hexadecimal digits, or a file that contains them.',
    );
  return { place: published, hashes: hashesIn(readFileSync(published, 'utf8')), notes: [] };
}

function ofTag(tag: string): Publication {
  const format = '--format=%(objecttype)%00%(taggerdate:unix)%00%(taggername)%00%(contents)';
  const found = git(['for-each-ref', format, `refs/tags/${tag}`]);
  if (found.status !== 0)
    throw bad(
      `--tag: ${found.stderr.trim() || 'git cannot be started'}`,
      'Run the command in the repository that has the tag.',
    );
  const [type = '', seconds = '', author = '', ...rest] = found.stdout.split('\0');
  if (type === '')
    throw bad(
      `--tag: the repository has no tag "${tag}"`,
      'Fetch the tag: git fetch --tags. List tags: git tag.',
    );
  if (type !== 'tag')
    throw bad(
      `--tag: "${tag}" is a lightweight tag, without a message and a time`,
      'Publish the hash in an annotated or signed tag: git tag -s NAME -m HASH.',
    );
  const signed = git(['verify-tag', tag]);
  const isSigned = signed.status === 0;
  return {
    place: `the tag ${tag}`,
    hashes: hashesIn(rest.join('\0')),
    at: Number(seconds) * 1_000,
    notes: [
      `The tag is of ${new Date(Number(seconds) * 1_000).toISOString()}, by ${author}`,
      isSigned
        ? 'git verified its signature'
        : 'It has no signature that git can verify, so anybody could have made it',
      "Its time is of the tagger's clock: only a server that received it then, or a witness, proves it",
    ],
  };
}

function hashesIn(text: string): string[] {
  return (text.match(HASH) ?? []).map((hash) => hash.toLowerCase());
}

function git(argv: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const { status, stdout, stderr } = spawnSync('git', argv, { encoding: 'utf8' });
  return { status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

function bad(message: string, hint: string): AppError {
  return new AppError({ code: 'bad_publication', message: `${message}.`, hint });
}
