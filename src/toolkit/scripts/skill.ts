import { statSync } from 'node:fs';
import { join } from 'node:path';

/** A skill whose scripts can run: its folder and the Python of its venv. */
export interface Skill {
  readonly folder: string;
  readonly python: string;
}

/** Where venvs keep their Python: POSIX first, then Windows. */
const INTERPRETERS = [
  ['bin', 'python'],
  ['Scripts', 'python.exe'],
] as const;

/**
 * Finds a skill by its name.
 *
 * @param skillsFolder absolute
 * @returns the skill, or in words why its scripts cannot run
 */
export function findSkill(name: string, skillsFolder: string): Skill | { readonly error: string } {
  if (!isSkillName(name)) {
    return {
      error: `Invalid skill name: '${name}'. Skill names must not contain '/', '\\', or '..'`,
    };
  }
  const folder = join(skillsFolder, name);
  if (!isFolder(folder)) return { error: `Skill '${name}' not found in skills folder` };
  const venv = join(folder, 'venv');
  if (!isFolder(venv)) return { error: `Skill '${name}' does not have a venv. Cannot execute script.` };
  const python = INTERPRETERS.map((parts) => join(venv, ...parts)).find(isFile);
  if (python === undefined) return { error: `Python interpreter not found in venv for skill '${name}'` };
  return { folder, python };
}

// A name that is one folder's: no separator, no way up, no drive, nothing a terminal would obey.
function isSkillName(name: string): boolean {
  return name !== '' && name !== '.' && !/[/\\:\p{Control}]|\.\./u.test(name);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
