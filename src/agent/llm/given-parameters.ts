import { type Fault, faultsError } from '../../kernel/index.ts';
import type { StrategySettings } from './schema.ts';

/**
 * Merges a strategy's declared parameters with the values given as texts.
 *
 * @throws AppError `bad_parameters`
 */
export function readGiven(
  declared: StrategySettings['parameters'],
  given: Readonly<Record<string, string>>,
  file: string,
): Record<string, string | number | boolean> {
  const faults: Fault[] = [];
  const values = { ...declared };
  const known = Object.keys(declared);
  for (const [name, text] of Object.entries(given)) {
    const fallback = declared[name];
    const fault = (message: string): unknown => faults.push({ where: `--param ${name}`, message });
    if (fallback === undefined) {
      fault(`${file} has no such parameter (it has ${known.length === 0 ? 'none' : known.join(', ')})`);
    } else if (typeof fallback === 'number') {
      const value = text.trim() === '' ? Number.NaN : Number(text);
      if (Number.isFinite(value)) values[name] = value;
      else fault(`"${text}" is not a number`);
    } else if (typeof fallback === 'boolean') {
      if (text === 'true' || text === 'false') values[name] = text === 'true';
      else fault(`"${text}" is neither true nor false`);
    } else values[name] = text;
  }
  if (faults.length === 0) return values;
  throw faultsError(
    'bad_parameters',
    `Parameters of ${file}`,
    faults,
    'Give parameters as --param name=value.',
  );
}
