/**
 * Checks comments in plain English: `npm run style [-- PATH ...]`. Without a path: all folders of `CHECKED`.
 *
 * Prints file, line and problem of each fault. Exit code 1 if there are faults.
 */
import { faultsOfFolders } from './faults.ts';

const faults = faultsOfFolders(process.argv.slice(2));
for (const { file, line, problem } of faults) process.stdout.write(`${file}:${line}: ${problem}\n`);
process.stdout.write(`${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
