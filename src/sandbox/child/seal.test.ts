import { expect, test } from 'vitest';
import { loadTestPython } from '../../../test/support/ta-python.ts';
import { type ModuleTables, Surroundings, sealFiles } from './seal.ts';

const python = await loadTestPython();

/** Runs Python code. Returns `OSError` with its error number, or `none` if the code succeeds. */
function errorOf(code: string): string {
  const program = [
    'try:',
    `    exec(${JSON.stringify(code)}, globals())`,
    '    outcome = "none"',
    'except OSError as problem:',
    '    outcome = f"OSError {problem.errno}"',
    'outcome',
  ];
  return String(python!.runPython(program.join('\n')));
}

// Tests the real file system of a Python in this process. `freezeIntrinsics` is tested only in a real child
// process, because it would freeze the objects of these tests.
test.skipIf(python === undefined)('files can be read, but not written, created or left open', () => {
  const module = (python as unknown as { _module: ModuleTables })._module;
  const write = 'open("/home/left.txt", "w").write("x")';
  const read = 'len(open("/usr/share/zoneinfo/UTC", "rb").read()) > 0';
  python!.runPython(write);
  sealFiles(module.FS);
  const surroundings = new Surroundings(module);
  const before = surroundings.describe();
  for (const code of [
    write,
    'open("/home/other.txt", "w")',
    'open("/home/left.txt", "a")',
    'open("/home/left.txt", "r+")',
    'import os; os.remove("/home/left.txt")',
    'import os; os.rename("/home/left.txt", "/home/b")',
    'import os; os.mkdir("/home/d")',
    'import os; os.symlink("/home", "/home/s")',
    'import os; os.truncate("/home/left.txt", 0)',
    'import os; os.chmod("/home/left.txt", 0)',
    'import os; os.pipe()',
  ])
    expect(errorOf(code), code).toBe('OSError 69');
  expect(python!.runPython(read)).toBe(true);
  expect(surroundings.describe()).toBe(before);

  python!.runPython('import os; held = os.open("/home/left.txt", os.O_RDONLY); os.chdir("/usr")');
  expect(surroundings.describe()).not.toBe(before);
  surroundings.putBack();
  expect(surroundings.describe()).toBe(before);
  expect(errorOf('import os; os.read(held, 1)')).toBe('OSError 8');
  expect(surroundings.changed()).toBeUndefined();
});
