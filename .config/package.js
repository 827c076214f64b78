// Packs the program for publishing: `npm run package -- --pack-destination FOLDER`. All arguments go to `npm pack`.
// Works on a copy in a temporary folder, so that dist/ in the checkout stays as the compiler wrote it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const staging = mkdtempSync(join(tmpdir(), 'sandtable-package-'));
const run = (command, args, cwd, stdio = 'inherit') => execFileSync(command, args, { cwd, stdio });

try {
  run('npm', ['run', '--silent', 'build'], root);
  const listed = run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], root, 'pipe');
  for (const { path } of JSON.parse(String(listed))[0].files)
    if (!path.startsWith('dist/')) cpSync(join(root, path), join(staging, path));

  // Scripts of the checkout do not work in the package.
  const { scripts: _, ...published } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const step = (name, ...words) => run(process.execPath, [join(root, '.config', name), ...words], staging);
  step('bundle-program.js', join(root, '.build', 'dist'), join(staging, 'dist'), '--short-names');
  step('drop-unreachable-types.js');
  step('relink-pages.js');

  // A relative destination is a folder of the caller.
  const args = process.argv.slice(2);
  const at = args.indexOf('--pack-destination');
  const destination = resolve(at === -1 ? '.' : args.splice(at, 2)[1]);
  run('npm', ['pack', '--pack-destination', destination, ...args], staging);
} finally {
  rmSync(staging, { recursive: true, force: true });
}
