/**
 * Checks if comments, messages and names of tests are plain English: `npm run style [-- PATH ...]`. Without a
 * path, checks all checked folders, and the names and descriptions of features.
 *
 * Prints file, line and problem of each fault. The exit code is 1 if there are faults.
 */
import { faultsOfFolders } from './faults.ts';
import { faultsOfFeatures } from './features.ts';

const paths = process.argv.slice(2);
const faults = [...faultsOfFolders(paths), ...(paths.length === 0 ? faultsOfFeatures() : [])];
for (const { file, line, problem } of faults) process.stdout.write(`${file}:${line}: ${problem}\n`);
process.stdout.write(`${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
