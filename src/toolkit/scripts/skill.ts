import { statSync } from 'node:fs';
import { join } from 'node:path';

/** Skill whose scripts can run: its folder and the Python of its venv. */
export interface Skill {
  readonly folder: string;
  readonly python: string;
}

/** Paths of Python within a venv: POSIX first, then Windows. */
const INTERPRETERS = [
  ['bin', 'python'],
  ['Scripts', 'python.exe'],
] as const;

/**
 * Finds a skill by name.
 *
 * @param skillsFolder absolute path
 * @returns the skill, or the reason why its scripts cannot run
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

// Accepts the name of a single folder: no separator, parent folder, drive or control character.
function isSkillName(name: string): boolean {
  return name !== '' && name !== '.' && !/[/\\:\p{Control}]|\.\./u.test(name);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
