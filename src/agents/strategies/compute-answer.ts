import type { z } from 'zod';
import { AppError, faultsError, issueText, valueAt } from '../../kernel/index.ts';
import type { ComputeAnswer } from './strategy.ts';

/**
 * Returns the checked result of a `compute` call.
 *
 * @throws AppError `compute_failed`, `bad_compute_result`
 */
export function checkedAnswer<Schema extends z.ZodType>(
  { result, error, remediation, line }: ComputeAnswer,
  schema: Schema,
  bar: number,
): z.output<Schema> {
  if (error !== undefined)
    throw new AppError({
      code: 'compute_failed',
      message: `compute failed at bar ${bar}${line === undefined ? '' : `, line ${line}`}: ${error}`,
      hint: remediation ?? 'Fix the Python code.',
      kind: 'run',
    });
  const parsed = schema.safeParse(result);
  if (parsed.success) return parsed.data;
  throw faultsError(
    'bad_compute_result',
    `The result of compute at bar ${bar}`,
    parsed.error.issues.map((issue) => ({
      where: ['result', ...issue.path.map(String)].join('.'),
      message: issueText(issue, valueAt(result, issue.path)),
    })),
    'Fix the Python code or the schema. NaN and infinity are null in a result.',
  );
}
