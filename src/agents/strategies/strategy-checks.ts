import { runSettingsFaults } from '../../engine/index.ts';
import { AppError, faultsError } from '../../kernel/index.ts';
import { REPL_LIFETIMES } from '../../toolkit/index.ts';
import { checkStrategy, type Strategy } from './strategy.ts';

// The toolkit checks the numbers. A budget for a tool that the strategy does not list is probably a typing
// error.
export function checkBudgets(
  { budgets = {}, tools = [] }: Pick<Strategy, 'budgets' | 'tools'>,
  file: string,
): void {
  const strays = Object.keys(budgets).filter((name) => !tools.includes(name));
  if (strays.length === 0) return;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file}: budgets name ${strays.join(', ')}, which tools does not.`,
    hint: tools.length === 0 ? 'Name its tools too.' : `Use names of its tools: ${tools.join(', ')}.`,
  });
}

// The types exclude other values, but a strategy may be written in JavaScript.
export function checkRepl({ repl }: Pick<Strategy, 'repl'>, file: string): void {
  if (repl === undefined || REPL_LIFETIMES.includes(repl)) return;
  throw new AppError({
    code: 'strategy_broken',
    message: `${file}: repl is ${JSON.stringify(repl)}, which is not a lifetime of a Python session.`,
    hint: `Set repl to one of: ${REPL_LIFETIMES.join(', ')}.`,
  });
}

/**
 * Checks a strategy in this process before any of its members is called.
 *
 * @throws AppError `strategy_broken`
 */
export function checkRule(strategy: Strategy, file: string): void {
  checkStrategy(strategy, file);
  checkRepl(strategy, file);
  checkBudgets(strategy, file);
}

export function checkSettings(settings: unknown, file: string): void {
  const faults = runSettingsFaults(settings);
  if (faults.length > 0)
    throw faultsError('bad_settings', `The settings of ${file}`, faults, 'Fix the file.');
}
