import { AppError } from '../../kernel/index.ts';

/**
 * Waits for all readings before reporting errors, so that a user can fix strategy and data in one step.
 *
 * @throws AppError with all messages, or the first error that is not an AppError
 */
export async function collectErrors<Reading extends readonly Promise<unknown>[]>(
  ...reading: Reading
): Promise<{ -readonly [Index in keyof Reading]: Awaited<Reading[Index]> }> {
  const results = await Promise.allSettled(reading);
  const reasons = results.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  if (reasons.length === 0) return Promise.all(reading);
  const unexpected = reasons.find((reason) => !(reason instanceof AppError));
  if (unexpected !== undefined || reasons.length === 1) throw unexpected ?? reasons[0];
  const errors = reasons as AppError[];
  const last = errors.at(-1)!;
  const before = errors.slice(0, -1).map(({ message, hint }) => `${message}\n  ${hint}\n`);
  throw new AppError({
    code: 'bad_input',
    message: [...before, last.message].join('error: '),
    hint: last.hint,
  });
}
