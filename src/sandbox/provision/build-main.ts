import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { PyodideAPI } from 'pyodide';
import type { BuildJob, BuildMessage } from './build-job.ts';
import { bootPython } from './start-python.ts';

// Program that runBuildJob starts. Reads a job from standard input and writes messages to standard output.

function send(message: BuildMessage): void {
  fs.writeSync(1, `${JSON.stringify(message)}\n`);
}

async function startPython(job: BuildJob): Promise<PyodideAPI> {
  const quiet = { stdout: () => {}, stderr: () => {} };
  if (job.runtime !== undefined) return bootPython(job.runtime, { ...quiet, preload: [] });
  const entry = pathToFileURL(path.join(job.pyodideFolder, 'pyodide.mjs')).href;
  const { loadPyodide } = (await import(entry)) as typeof import('pyodide');
  return loadPyodide({ ...quiet, indexURL: job.pyodideFolder });
}

async function main(): Promise<void> {
  const job = JSON.parse(await text(process.stdin)) as BuildJob;
  const python = await startPython(job);
  const files = python.FS;
  for (const [host, inside] of job.inputs) {
    files.mkdirTree(path.posix.dirname(inside));
    files.writeFile(inside, fs.readFileSync(host));
  }
  files.mkdirTree('/out');
  python.globals.set('on_progress', (done: number, total: number) => send({ kind: 'progress', done, total }));
  python.runPython(job.source);
  python.globals.get(job.call.name)(...job.call.parameters.map((value) => python.toPy(value)));
  for (const [inside, host] of job.outputs) fs.writeFileSync(host, files.readFile(inside));
}

main().catch((error: unknown) => {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split('\n');
  send({ kind: 'failed', reason: lines.slice(-4).join('\n') });
  process.exitCode = 1;
});
