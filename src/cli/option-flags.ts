import { z } from 'zod';
import { numberText } from './flag-values.ts';
import { numberRulesOf } from './setting-schema.ts';

type Fields = Readonly<Record<string, z.ZodOptional<z.ZodType>>>;

/** The fields of flags that are options of a run, by the options' own bounds. */
type FlagsOf<Options extends Fields> = {
  readonly [Name in keyof Options]: z.ZodOptional<z.ZodType<NonNullable<z.infer<Options[Name]>>>>;
};

/** Flags for options of a run: a number is read from its text, everything else is written as it is in code. */
export function flagsFor<Options extends Fields>(options: Options): FlagsOf<Options> {
  const flags = Object.entries(options).map(([name, option]) => {
    const schema = option.unwrap();
    return [name, (schema instanceof z.ZodNumber ? numberText(numberRulesOf(schema)) : schema).optional()];
  });
  // `Object.fromEntries` forgets which names there are.
  return Object.fromEntries(flags) as FlagsOf<Options>;
}
