export { Decimal, decimal, decimalString, ONE, ZERO } from './decimal.ts';
export { describeValue, fileProblem, issueText, valueAt } from './describe.ts';
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
export {
  hashOfFile,
  makeFolder,
  renameDurably,
  TEMPORARY_PREFIX,
  temporaryPath,
  unwritable,
  writeDurably,
} from './files.ts';
export {
  DAY,
  dayOfBar,
  formatInstant,
  type Instant,
  minuteText,
  parseInstant,
  type TradingDays,
  utcDays,
} from './instants.ts';
export { editDistance, nearest } from './nearest.ts';
export { isObject, numberOf, recordOf, textOf } from './objects.ts';
export { colourMark, guardOutput, redrawLine, writeData, writeText } from './output.ts';
export { builtPlace, packageFile, packagePlace, version } from './package-file.ts';
export { childEnvironment, isProcessAlive } from './processes.ts';
export { createRandom, type Random } from './random.ts';
export {
  DEEPEST_INPUT,
  doubledKeys,
  isDeeperThan,
  isFifo,
  parseJsonInput,
  readInput,
  readYaml,
  receiveFifo,
  TOO_DEEP,
  type YamlDocument,
  yamlFaults,
} from './structured-input.ts';
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
  textTable,
  wrap,
} from './terminal-text.ts';
