export { childEnvironment } from './child-environment.ts';
export { Decimal, decimal, decimalString, ONE, ZERO } from './decimal.ts';
export { describeValue, fileProblem, issueText, valueAt } from './describe.ts';
export { doubledKeys } from './doubled-keys.ts';
export { renameDurably, TEMPORARY_PREFIX, temporaryPath, writeDurably } from './durable-file.ts';
export {
  AppError,
  type AppErrorOptions,
  type ErrorKind,
  type Fault,
  faultsError,
  inspectable,
  messageOf,
  thrownText,
} from './errors.ts';
export { EXACT_ONE, EXACT_ZERO, Exact, type Numeric } from './exact.ts';
export { hashOfFile } from './file-hash.ts';
export {
  DAY,
  dayOfBar,
  formatInstant,
  type Instant,
  parseInstant,
  type TradingDays,
  utcDays,
} from './instants.ts';
export { DEEPEST_INPUT, parseJsonInput, TOO_DEEP } from './json-input.ts';
export { makeFolder } from './make-folder.ts';
export { editDistance, nearest } from './nearest.ts';
export { isDeeperThan } from './nesting.ts';
export { colourMark, guardOutput, redrawLine, writeData, writeText } from './output.ts';
export { builtPlace, packageFile, packagePlace } from './package-file.ts';
export { isProcessAlive } from './process-alive.ts';
export { createRandom, type Random } from './random.ts';
export { isFifo, readInput, receiveFifo } from './received-input.ts';
export { recordOf } from './record-of.ts';
export {
  asciiText,
  columnsOf,
  grouped,
  type Paint,
  padEnd,
  padStart,
  paint,
  paragraph,
  percentage,
  printable,
  shorten,
  type TextStyle,
  wrap,
} from './terminal-text.ts';
export { textTable } from './text-table.ts';
export { isObject, numberOf, textOf } from './unknown.ts';
export { unwritable } from './unwritable.ts';
export { version } from './version.ts';
export { readYaml, type YamlDocument, yamlFaults } from './yaml.ts';
