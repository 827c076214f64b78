import { basename, resolve } from 'node:path';
import { z } from 'zod';
import type { Fault } from '../../kernel/index.ts';
import { certificatePage, certificateText } from '../../pages/index.ts';
import { bundleRuns, verifyRuns } from '../../runner/index.ts';
import { readFlags } from '../flags/flags.ts';
import { type Io, printLine, writeNamedFile } from '../io.ts';
import { runContext } from '../run-context.ts';

const verifySchema = z.object({
  data: z.array(z.string()).optional(),
  replay: z.boolean().optional(),
  key: z.string().optional(),
  published: z.string().optional(),
  tag: z
    .string()
    .regex(/^[^-\s][^\s]*$/, { error: 'is not the name of a tag' })
    .optional(),
  html: z.string().optional(),
  json: z.boolean().default(false),
  quiet: z.boolean().default(false),
});

/**
 * `sandtable verify`: checks runs, or an archive of runs, and prints a certificate with the results of the
 * checks. Returns the exit code.
 */
export async function verifyCommand(target: string, given: unknown, io: Io): Promise<number> {
  const { data, replay, key, published, tag, html, json, quiet } = readFlags(
    verifySchema,
    given,
    'verify',
    bothPlaces(given),
  );
  const options = { data, replays: replay, key, published, tag };
  const result = await verifyRuns(target, options, runContext(io, quiet || json));
  if (html !== undefined)
    writeNamedFile(html, certificatePage(result), { hint: 'Choose another path with --html.' });
  printLine(io.stdout, json ? JSON.stringify(result, null, 2) : certificateText(result));
  return result.verified ? 0 : 1;
}

function bothPlaces(given: unknown): Fault[] {
  const { published, tag } = given as { published?: unknown; tag?: unknown };
  return published === undefined || tag === undefined
    ? []
    : [{ where: '--tag', message: 'cannot be combined with --published. Pass one of them' }];
}

const bundleSchema = z.object({
  out: z.string().optional(),
  withData: z.boolean().default(false),
  sign: z.string().optional(),
});

/** `sandtable bundle`: writes runs to one archive, which can be verified on another machine. */
export async function bundleCommand(folder: string, given: unknown, io: Io): Promise<void> {
  const {
    out = `${basename(resolve(folder))}.tar.gz`,
    withData,
    sign,
  } = readFlags(bundleSchema, given, 'bundle');
  const { files } = await bundleRuns(folder, { out, withData, key: sign });
  printLine(io.stdout, out);
  printLine(io.stderr, `note: Packed ${files.length} files. Verify them with: npx sandtable verify ${out}`);
}
