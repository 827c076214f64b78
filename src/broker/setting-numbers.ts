import { z } from 'zod';
import { DECIMAL_TEXT } from './request.ts';

/** A share from 0 to `most`. */
export const fraction = (most: number): z.ZodNumber => z.number().min(0).max(most);
export const basisPoints = z.number().min(0).lt(10_000);
/** Money. The limit is above any realistic account. */
export const amount = z.number().min(0).max(1e15);
/** A step of quantities or prices. */
export const step = z.number().min(1e-12).max(1e12);
/** A step of quantities: a number, or a decimal text for more digits than a number can represent. */
export const lotStep = z.union([
  step,
  z
    .string()
    .regex(DECIMAL_TEXT, { error: (issue) => `"${String(issue.input)}" is no decimal such as 0.00000001` })
    .refine((text) => Number(text) >= 1e-12 && Number(text) <= 1e12, 'must be from 1e-12 to 1e12'),
]);
/** A limit as a multiple of equity. */
export const multiple = z.number().positive().max(1_000);

export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3,6}$/, { error: (issue) => `"${String(issue.input)}" is no currency code such as EUR` });
