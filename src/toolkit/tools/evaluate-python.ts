import type { BarContext, Json } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import type { Sandbox } from '../../sandbox/index.ts';
import {
  EVALUATION_LIMITS,
  type EvaluationOutcome,
  type EvaluationRequest,
  evaluationParameters,
  failedOutcome,
  outcomeOf,
  requestFaults,
  resultOf,
} from '../evaluation-request.ts';
import { changeFiles, defineTool, FILES, failure } from '../tool.ts';
import { sliceCharacters, VFS_LIMITS, type Vfs, type VfsChange } from '../vfs/index.ts';

const DESCRIPTION = `Evaluate a short Python script on values and on your files (vfs_list), without market data: arithmetic, text, lists, dicts, functions.

  code     at most 2,000 characters, 5 seconds. math and statistics are available, also as plain names (sqrt, mean).
           No import, class, with, attributes that begin with _; no numpy: use compute for bars.
  globals  variables as JSON text: {"x": "5", "s": "\\"text\\""}
  reads    [{"path": "notes/a.txt"}]: the text is reads["notes/a.txt"], or the variable notes for a path like notes
  writes   [{"path", "content", "mode"}], written after the code; {name} in content is replaced by that global, {name:.2f} is formatted,
           {{ and }} are braces; no {x.y} or {x[0]}. mode is create (default), overwrite or append
In code: read_text(path) returns a file as before the call; write_text(path, content, mode="overwrite") queues a write.
A path may be written once per call, and not both read by reads and written.

The answer is {value_repr, stdout, stderr, globals, reads, writes}: value_repr is the repr of a last expression, globals are JSON texts,
"!repr:…" for values that JSON cannot represent. Streams are cut at 4,096 characters. If the code fails, no file is written.

Examples:
  {"code": "total = 0\\nfor value in range(5):\\n    total += value\\nprint(total)\\ntotal", "globals": {}, "reads": [], "writes": []}
  {"code": "risk = cash * 0.01", "globals": {"cash": "25000"}, "writes": [{"path": "plan.md", "content": "Risk {risk:.2f}\\n"}]}
  {"code": "lines = read_text('log.md').splitlines()\\nlen(lines)"}`;

export const evaluatePython = defineTool({
  name: 'evaluate_python',
  description: DESCRIPTION,
  parameters: evaluationParameters,
  example: {
    code: 'total = 0\nfor value in range(5):\n    total += value\nprint(total)\ntotal',
    globals: {},
    reads: [],
    writes: [],
  },
  writes: true,
  needsPython: true,
  optIn: true,
  async handle(request, { turn, sandbox, shared, resultBytes }) {
    const files = shared(FILES);
    const faults = requestFaults(request, files);
    if (faults.length > 0) return badRequest(faults);
    const reply = await sandbox.call({
      operation: 'evaluate_python',
      bar: turn.bar,
      time: turn.time,
      // The evaluated code cannot read bars. It can read only values and files.
      windows: [],
      timeoutMs: EVALUATION_LIMITS.timeoutMs,
      request: pythonRequest(request, files),
    });
    if (!reply.ok && reply.kind === 'InvalidRequest') return failure(reply.error, reply.remediation);
    const outcome = committed(outcomeOf(reply), files, turn);
    turn.record({
      type: 'telemetry',
      bar: turn.bar,
      event: 'asteval.run',
      stdout_len: outcome.stdout.length,
      stderr_len: outcome.stderr.length,
      write_count: outcome.writes.length,
      code: sliceCharacters(request.code, 0, 200),
    });
    return resultOf(outcome, request.reads, resultBytes);
  },
});

function badRequest(faults: readonly string[]): Json {
  const shown = faults.slice(0, 20).map((fault) => (fault.length > 400 ? `${fault.slice(0, 400)}…` : fault));
  const hidden = faults.length - shown.length;
  return failure(
    `${shown.join('; ')}${hidden > 0 ? `; and ${hidden} more` : ''}.`,
    'Fix the arguments and call again. No code ran and no file was written.',
  );
}

function pythonRequest(
  { code, globals, reads, writes }: EvaluationRequest,
  files: Vfs,
): Parameters<Sandbox['call']>[0]['request'] {
  const textOf = (path: string): string => files.file(path)?.content ?? '';
  // Files are sent only if the code contains the name `read_text`. Python also accepts other Unicode forms of
  // these letters, so the code is normalised first.
  const asks = code.normalize('NFKC').includes('read_text');
  return {
    code,
    globals,
    reads: Object.fromEntries(reads.map(({ path }) => [path, textOf(path)])),
    writes,
    files: asks ? Object.fromEntries(files.list().map(({ path, content }) => [path, content])) : {},
    limits: { ...EVALUATION_LIMITS, fileCharacters: VFS_LIMITS.fileCharacters },
  };
}

/**
 * Writes the files of an outcome. If one file does not fit, no file is written and the outcome becomes a
 * failure.
 */
function committed(outcome: EvaluationOutcome, files: Vfs, turn: BarContext): EvaluationOutcome {
  if (outcome.failed !== undefined || outcome.writes.length === 0) return outcome;
  const changes = outcome.writes.map((write): VfsChange => ({ kind: 'write', ...write }));
  try {
    changeFiles(files, turn, changes);
    return outcome;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const where = changes.length === 1 ? `${changes[0]!.path}: ` : '';
    const failed = failedOutcome(`${where}${error.message}`, `${error.hint} No file was written.`);
    return { ...failed, stdout: outcome.stdout, globals: outcome.globals };
  }
}
