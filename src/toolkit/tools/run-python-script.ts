import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import { jsonBytes } from '../json-value.ts';
import {
  findSkill,
  runScript,
  SCRIPTS,
  type ScriptRun,
  type ScriptSettings,
  type Skill,
} from '../scripts/run-script.ts';
import { defineTool, failure } from '../tool.ts';

const STREAM_CHARACTERS = 10_000;
/** Maximum size of a script in bytes. The script is passed as an argument, which Linux limits to 128 KB. */
const SCRIPT_BYTES = 120_000;

export const runPythonScript = defineTool({
  name: 'run_python_script',
  description: `Execute a Python script in the specified skill's virtual environment. Script has full filesystem access.
Returns stdout, stderr, and exit code. Script runs with the skill folder as working directory.

The script is a process of this machine, outside the sandbox. Its packages are those of the skill's venv, and its results may depend on
the outside world. It cannot read bars or your files (vfs_list): write the numbers it needs into the script, and print the
results. The timeout is 30 seconds unless the user set another; the script and all its processes then end.
Each stream is cut at 10,000 characters.

  skill_name   the folder of the skill, which has a venv
  script       the Python code, as after python -c

The answer is {skill_name, stdout, stderr, returncode, timed_out}; returncode is not 0 if the script failed, and stderr contains the reason.

Examples: {"skill_name": "calculator", "script": "result = 2 + 2\\nprint(f'Result: {result}')"}
  {"skill_name": "data_analysis", "script": "import pandas as pd\\nprint(pd.DataFrame({'a': [1, 2, 3]}).sum())"}`,
  parameters: z.strictObject({
    skill_name: z.string().describe('Name of the skill whose venv to use'),
    script: z.string().describe('Python code to execute'),
  }),
  example: { skill_name: 'calculator', script: 'print(2 + 2)' },
  writes: true,
  optIn: true,
  async handle({ skill_name, script }, { shared, resultBytes }) {
    const settings = shared(SCRIPTS);
    if (settings === undefined)
      return failure(
        'Scripts are not allowed in this run.',
        'Use evaluate_python or compute. A user allows scripts with --allow-scripts.',
      );
    const skill = findSkill(skill_name, settings.skillsFolder);
    if ('error' in skill) return failure(skill.error, 'Use a skill that has a venv.');
    const unfit = scriptFault(script);
    if (unfit !== undefined) return failure(unfit, 'Send a shorter, plain script.');
    return fitted(await execute(skill_name, skill, script, settings), resultBytes);
  },
});

type Answer = Readonly<Record<string, Json>>;

function scriptFault(script: string): string | undefined {
  if (script.includes('\0')) return 'The script contains a null character.';
  const bytes = Buffer.byteLength(script);
  if (bytes <= SCRIPT_BYTES) return undefined;
  return `The script has ${bytes.toLocaleString('en-US')} bytes, over the limit of ${SCRIPT_BYTES.toLocaleString('en-US')}.`;
}

async function execute(
  name: string,
  skill: Skill,
  script: string,
  settings: ScriptSettings,
): Promise<Answer> {
  const { timeoutSeconds } = settings;
  let run: ScriptRun;
  try {
    run = await runScript(skill, script, {
      timeoutMs: timeoutSeconds * 1_000,
      streamCharacters: STREAM_CHARACTERS,
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return code === 'EACCES' || code === 'EPERM'
      ? failure(
          `Permission denied executing script in skill '${name}'`,
          'The user must make its Python executable.',
        )
      : failure(
          `Error executing script: Python could not be started (${code || 'unknown'})`,
          'The user must recreate the venv.',
        );
  }
  const { stdout, stderr, returncode, timedOut } = run;
  const answer = { skill_name: name, stdout, stderr, returncode, timed_out: timedOut };
  if (!timedOut) return answer;
  return {
    ...answer,
    error: `Script execution exceeded timeout of ${timeoutSeconds} seconds`,
    remediation: 'Use a shorter script.',
  };
}

/**
 * Shortens stdout and stderr until the JSON of the answer has at most `limit` bytes. Each already has at most
 * about `STREAM_CHARACTERS` characters, but a character can need several bytes.
 */
function fitted(answer: Answer, limit: number): Answer {
  let fit = answer;
  for (let characters = 5_000; jsonBytes(fit) > limit && characters > 50; characters = characters >> 1) {
    const cut = (text: Json | undefined): string => {
      const whole = String(text ?? '');
      return whole.length <= characters
        ? whole
        : `${whole.slice(0, characters).replace(/[\ud800-\udbff]$/, '')}…`;
    };
    fit = { ...answer, stdout: cut(answer.stdout), stderr: cut(answer.stderr) };
  }
  return fit;
}
