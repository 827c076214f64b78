import type { Fault } from '../../kernel/index.ts';
import { PRICE_COLUMNS } from '../bar-series.ts';

/** Columns of a bar and of a dated row. A feature with such a name would hide the column. */
const TAKEN: readonly string[] = ['date', 'time', 'symbol', 'available_at', ...PRICE_COLUMNS];

/** Python keywords, which cannot be attribute names. */
const PYTHON =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  );

/**
 * Frequently used attributes of a pandas DataFrame. A feature with such a name could not be read as
 * `df.name`.
 */
const FRAME =
  'abs add agg all any append apply assign at attrs axes bfill clip columns copy corr count cov cummax cummin cumprod cumsum describe diff div drop dropna dtypes empty eq eval ewm expanding explode ffill fillna filter first ge get groupby gt head hist iat idxmax idxmin iloc index info insert isin isna items join keys kurt last le loc lt map mask max mean median melt merge min mod mode mul ndim ne nlargest notna nsmallest nunique pct_change pipe pivot plot pop pow prod quantile query rank reindex rename replace resample rolling round sample sem set_index shape shift size skew sort_index sort_values squeeze stack std style sub sum swapaxes ta tail take transform transpose truncate unique unstack update values var where xs'.split(
    ' ',
  );

/** Returns the fault of a feature's name, with a suggestion. `undefined` for a valid name. */
export function nameFault(name: string): Omit<Fault, 'where'> | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) {
    const better = plainFeatureName(name);
    const hint = better === undefined ? 'use letters, digits and _ for its name' : `call it ${better}`;
    return { message: `the column "${name}" is not a name that code can use`, hint };
  }
  if (TAKEN.includes(name.toLowerCase()))
    return {
      message: `the column "${name}" has the name of a column of the bars`,
      hint: `call it ${name}_2`,
    };
  if (PYTHON.includes(name))
    return { message: `the column "${name}" is a word of Python`, hint: `call it ${name}_` };
  if (FRAME.includes(name))
    return {
      message: `the column "${name}" is the name of a DataFrame attribute or method`,
      hint: `call it ${name}_value`,
    };
  return undefined;
}

/** Converts a column's header to a feature name: `Adj Close` becomes adj_close. `undefined` if impossible. */
export function plainFeatureName(header: string): string | undefined {
  const name = header
    .replaceAll(/[<>"'\ufeff]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return /^[a-z]/.test(name) ? name : undefined;
}
