import { z } from 'zod';
import { numberText } from './flag-values.ts';
import { numberRulesOf } from './setting-schema.ts';

type Fields = Readonly<Record<string, z.ZodOptional<z.ZodType>>>;

/** Flag schemas for options of a run, with the bounds of the options. */
type FlagsOf<Options extends Fields> = {
  readonly [Name in keyof Options]: z.ZodOptional<z.ZodType<NonNullable<z.infer<Options[Name]>>>>;
};

/**
 * Returns flags for options of a run. Numbers are parsed from text; other values have the same form as in
 * code.
 */
export function flagsFor<Options extends Fields>(options: Options): FlagsOf<Options> {
  const flags = Object.entries(options).map(([name, option]) => {
    const schema = option.unwrap();
    return [name, (schema instanceof z.ZodNumber ? numberText(numberRulesOf(schema)) : schema).optional()];
  });
  // `Object.fromEntries` loses the types of the names.
  return Object.fromEntries(flags) as FlagsOf<Options>;
}
