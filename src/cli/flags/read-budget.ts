import type { z } from 'zod';
import { type AgentBudget, agentBudgetSchema, type Budget, budgetSchema } from '../../agents/index.ts';
import { type Fault, issueText } from '../../kernel/index.ts';

/** Reads limits such as `usd=5` and reports all faults together. */
export function readBudget(texts: readonly string[]): { budget: Budget; faults: Fault[] } {
  return readLimits(budgetSchema, texts, '--budget');
}

/** Reads limits including those of agent runs, and reports all faults together. */
export function readAgentBudget(
  texts: readonly string[],
  where: string,
): { budget: AgentBudget; faults: Fault[] } {
  return readLimits(agentBudgetSchema, texts, where);
}

function readLimits<Read>(
  schema: z.ZodType<Read>,
  texts: readonly string[],
  where: string,
): { budget: Read; faults: Fault[] } {
  const values: Record<string, number> = {};
  const faults: Fault[] = [];
  for (const text of texts) {
    const [name = '', amount = ''] = text.split('=');
    if (name === '' || amount === '' || !Number.isFinite(Number(amount))) {
      faults.push({
        where,
        message: `"${text}" is not a limit. Expected for example usd=5 or tokens=200000`,
      });
    } else if (Object.hasOwn(values, name)) faults.push({ where, message: `${name} is given twice` });
    else values[name] = Number(amount);
  }
  const parsed = schema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    faults.push({ where, message: `${issue.path.join('.')} ${issueText(issue)}`.trim() });
  }
  return { budget: parsed.data ?? schema.parse({}), faults };
}
