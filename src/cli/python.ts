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
  return new Sandbox({ ...options, runtime: await preparePython(io, silent) });
}

/** Tools that never start Python; any other may. */
const WITHOUT_PYTHON = [
  'market_observe',
  'market_history',
  'account_status',
  'trade_execute',
  'order_query',
  'order_cancel',
  'memory_note',
  'memory_log',
  'memory_recall',
];

/** Whether one of these tools may run Python. */
export function needsPython(tools: readonly string[]): boolean {
  return tools.some((tool) => !WITHOUT_PYTHON.includes(tool));
}

/** What stands for a sandbox where no tool computes. */
export function noPython(): Sandbox {
  const none: Pick<Sandbox, 'timeoutMs' | 'call'> = {
    timeoutMs: 0,
    call: () => Promise.reject(new Error('this run has no Python')),
  };
  return none as Sandbox;
}
