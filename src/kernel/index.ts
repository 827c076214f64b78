export {
  describeValue,
  editDistance,
  fileProblem,
  isObject,
  issueText,
  nearest,
  numberOf,
  recordOf,
  textOf,
  valueAt,
} from './describe.ts';
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
export {
  Decimal,
  decimal,
  decimalString,
  EXACT_ONE,
  EXACT_ZERO,
  Exact,
  type Numeric,
  ONE,
  ZERO,
} from './exact.ts';
export {
  builtPlace,
  hashOfFile,
  makeFolder,
  packageFile,
  packagePlace,
  renameDurably,
  TEMPORARY_PREFIX,
  temporaryPath,
  unwritable,
  version,
  writeDurably,
} from './files.ts';
export { isFifo, readInput, receiveFifo } from './input-files.ts';
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
export { colourMark, guardOutput, redrawLine, writeData, writeText } from './output.ts';
export { childEnvironment, isProcessAlive } from './processes.ts';
export { createRandom, type Random } from './random.ts';
export {
  DEEPEST_INPUT,
  doubledKeys,
  isDeeperThan,
  parseJsonInput,
  readYaml,
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
