// Shows: a script of the real machine. Once a quarter the calculator skill is asked for a Kelly fraction of the last
// year's returns. It runs outside the sandbox, so the run needs --allow-scripts and is stamped not sealed.
import { defineStrategy, z } from 'sandtable';

const answerSchema = z.object({ stdout: z.string(), stderr: z.string(), returncode: z.literal(0) });

export default defineStrategy({
  name: 'skill-sizing',
  summary: 'Holds the Kelly fraction of a year of returns, computed by a skill every 63 bars.',
  parameters: z.object({ every: z.coerce.number().int().min(1).default(63) }),
  tools: ['run_python_script'],
  warmUpBars: () => 252,

  async onBar({ bar, window, orders }, { parameters, call }) {
    if (bar % parameters.every !== 0) return;
    const closes = [...window.close.tail(252)];
    const returns = closes.slice(1).map((close, index) => close / closes[index]! - 1);
    const answer = await call('run_python_script', {
      skill_name: 'calculator',
      script: `from sizing import kelly\nprint(kelly(${JSON.stringify(returns)}))`,
    });
    const { stdout } = answerSchema.parse(answer);
    orders.submit({ action: 'target', targetFraction: Number(stdout), reason: 'Kelly' });
  },
});
