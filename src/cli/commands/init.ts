import { lstatSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { AppError } from '../../kernel/index.ts';
import { sectionKeys } from '../config/section-commands.ts';
import { type Io, printLine, writeNamedFile } from '../io.ts';
import { programIn } from '../print-outcome.ts';
import { STARTER_KINDS, type StarterKind, starterProject } from '../starter/starter-files.ts';
import { projectSchema } from './config.ts';

/**
 * `sandtable init`: writes a project and prints the commands to try.
 *
 * @throws AppError `bad_flags`, `project_exists`, `project_unwritable`
 */
export function initCommand(
  folder: string,
  flags: Readonly<Partial<Record<StarterKind, boolean>>>,
  io: Io,
): void {
  const kinds = STARTER_KINDS.filter((kind) => flags[kind] === true);
  if (kinds.length > 1)
    throw new AppError({
      code: 'bad_flags',
      message: `${kinds.map((kind) => `--${kind}`).join(' and ')} cannot be combined. A project has one kind.`,
      hint: 'Pass one of them, or create two projects in two folders.',
    });
  const schema = projectSchema(sectionKeys(new Command()));
  const { files, commands } = starterProject(kinds[0] ?? 'python', programIn(resolve(folder)), schema);
  const present = Object.keys(files).filter((file) => isThere(join(folder, file)));
  if (present.length > 0)
    throw new AppError({
      code: 'project_exists',
      message: `Cannot create a project in ${folder}: ${present.join(', ')} already ${present.length === 1 ? 'exists' : 'exist'}. No file was written.`,
      hint: 'Choose a new folder, for example: npx sandtable init my-project',
    });
  const hint = 'Choose a folder that you can write to, for example: npx sandtable init my-project';
  for (const [file, text] of Object.entries(files))
    writeNamedFile(join(folder, file), text, { code: 'project_unwritable', hint, makesFolder: true });

  const inside = relative('.', folder);
  printLine(io.stdout, `Created in ${folder}: ${Object.keys(files).join(', ')}\n\nNext:`);
  if (inside !== '') printLine(io.stdout, `  cd ${/^[\w./-]+$/.test(inside) ? inside : `"${inside}"`}`);
  for (const { line, does } of commands) printLine(io.stdout, `  # ${does}\n  ${line}`);
}

/** True if a file, a folder or a link exists, also a link to a missing file. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
