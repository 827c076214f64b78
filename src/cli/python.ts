import { type PythonRuntime, provisionRuntime, Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import type { Io } from './io.ts';
import { ProgressLine } from './progress.ts';

/** Makes Python ready, showing progress where that takes time. */
export async function preparePython(io: Io, silent: boolean, wheelsFolder?: string): Promise<PythonRuntime> {
  const line = new ProgressLine(io, silent);
  try {
    return await provisionRuntime({
      ...(wheelsFolder === undefined ? {} : { wheelsFolder }),
      onProgress({ stage, message, done, total }) {
        if (done === undefined || total === undefined) line.note(message);
        else line.show(message, done, total, stage === 'wheels' ? 'bytes' : 'files');
      },
    });
  } finally {
    line.end();
  }
}

/** A sandbox whose Python is prepared when it is first needed. */
export async function openSandbox(
  io: Io,
  silent: boolean,
  options: Omit<SandboxOptions, 'runtime'>,
): Promise<Sandbox> {
  return new Sandbox({ ...options, ...io.pythonLimits, runtime: await preparePython(io, silent) });
}
