import type { Fault } from '../../kernel/index.ts';
import { BASELINES } from './baselines.ts';
import type { StudyRequest } from './study-file.ts';

/** Primary comparisons whose first name is not an arm, or whose second name is neither another arm nor a baseline. */
export function unknownPrimary(
  { primary = [], file, lineOf }: StudyRequest,
  arms: readonly { readonly name: string }[],
): Fault[] {
  const names = arms.map(({ name }) => name);
  const known: readonly string[] = [...names, ...BASELINES];
  return primary.flatMap(([a, b], place): Fault[] => {
    const where = `${file}:${lineOf(['primary', place])}`;
    if (!names.includes(a))
      return [{ where, message: `primary: "${a}" is not an arm. Expected one of ${names.join(', ')}` }];
    if (a === b || !known.includes(b))
      return [
        {
          where,
          message: `primary: "${b}" is not another arm or a baseline. Expected one of ${known.filter((name) => name !== a).join(', ')}`,
        },
      ];
    return primary.findIndex(([one, other]) => one === a && other === b) < place
      ? [{ where, message: `primary: ${a} − ${b} is named twice` }]
      : [];
  });
}
