/**
 * Records reports/example-llm-momentum again: strategies/llm-momentum.md with a scripted model. Run `npm run
 * docs:llm-example` after a change of tools, prompts or requests, because a replay of the old recording fails
 * then.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readScriptFile, startScriptedModel } from '../src/agents/index.ts';
import { main } from '../src/cli/index.ts';

const PLACE = 'reports/example-llm-momentum';
const FLAGS = ['--data', 'data/spx-daily.csv', '--from', '2009-01-01', '--to', '2010-06-30'];

const README = `# An LLM's run, without an LLM

\`strategies/llm-momentum.md\` on the S&P 500 from January 2009 to June 2010. **A script spoke, not a model**
(\`strategies/scripted/llm-momentum.json\`): it asks for the numbers that the prompt names and places the order they
call for, so the figures say nothing about any model. Everything else is as it is with one: requests over HTTP, tools,
Python, journal.

    npx sandtable replay reports/example-llm-momentum

walks it again without a network and without a key: every reply comes from \`journal.jsonl\`, every tool runs again.
\`npm run docs:llm-example\` records it anew.
`;

const model = await startScriptedModel(readScriptFile('strategies/scripted/llm-momentum.json'), {
  port: 8099,
});
const out = mkdtempSync(join(tmpdir(), 'sandtable-example-'));
try {
  const env = { PATH: process.env.PATH, OPENAI_BASE_URL: model.url, SANDTABLE_MODEL: 'a-script-not-a-model' };
  const code = await main(['run', 'strategies/llm-momentum.md', ...FLAGS, '--out', out], {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: { ...process.env, ...env },
  });
  if (code !== 0 || model.unexpected.length > 0)
    throw new Error(`the run failed: ${model.unexpected.join('; ')}`);
  rmSync(PLACE, { recursive: true, force: true });
  cpSync(join(out, readdirSync(out)[0]!), PLACE, { recursive: true });
  writeFileSync(join(PLACE, 'README.md'), README);
} finally {
  await model.close();
  rmSync(out, { recursive: true, force: true });
}
