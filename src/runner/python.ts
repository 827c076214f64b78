import { type PythonRuntime, provisionRuntime, Sandbox, type SandboxOptions } from '../sandbox/index.ts';
import type { RunContext, RunObserver } from './context.ts';

type PythonObserver = Pick<RunObserver, 'stage' | 'progress' | 'progressEnd'>;

/** Prepares Python and reports progress of slow steps. */
export async function preparePython(observer: PythonObserver, wheelsFolder?: string): Promise<PythonRuntime> {
  try {
    return await provisionRuntime({
      ...(wheelsFolder === undefined ? {} : { wheelsFolder }),
      onProgress({ stage, message, done, total }) {
        if (done === undefined || total === undefined) observer.stage(message);
        else observer.progress(message, done, total, stage === 'wheels' ? 'bytes' : 'files');
      },
    });
  } finally {
    observer.progressEnd();
  }
}

/** Returns a sandbox that prepares Python on first use. */
export async function openSandbox(
  {
    observer,
    pythonLimits,
  }: { readonly observer: PythonObserver; readonly pythonLimits?: RunContext['pythonLimits'] },
  options: Omit<SandboxOptions, 'runtime'>,
): Promise<Sandbox> {
  return new Sandbox({ ...options, ...pythonLimits, runtime: await preparePython(observer) });
}
