import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { type Fault, faultsError, isObject, issueText, nearest, valueAt } from './errors.ts';

/**
 * Maximum number of nested levels of objects and lists in JSON or YAML input. Deeper values could overflow
 * the stack of recursive code.
 */
export const DEEPEST_INPUT = 100;

/** Problem of an input that is nested too deep, as the end of a sentence. */
export const TOO_DEEP = `nested deeper than ${DEEPEST_INPUT} levels, which is the limit`;

/**
 * Parses the JSON of an input file or message.
 *
 * @throws SyntaxError if the text is not JSON, or is nested deeper than `DEEPEST_INPUT`
 */
export function parseJsonInput(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeperThan(value, DEEPEST_INPUT)) throw new SyntaxError(TOO_DEEP);
  return value;
}

/** Returns true if a text is JSON. */
export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Parsed YAML text: its value, and the line and original text of each part. */
export interface YamlDocument {
  /** Parsed value. An empty object if the text is empty. */
  readonly value: unknown;
  /** Returns the line of a setting in the file, from 1. For a field of an object: the line of its name. */
  lineOf(path: readonly PropertyKey[]): number;
  /**
   * Returns a scalar as the file writes it, without quotes: `1e3` and `1.10` remain as they are. `undefined`
   * for objects, lists and missing values.
   */
  textOf(path: readonly PropertyKey[]): string | undefined;
}

/** Maximum number of nodes to which the aliases (references such as `*name`) of one YAML text may expand. */
const MOST_ALIASES = 100;

/**
 * Parses YAML. JSON is valid YAML, so JSON texts are also accepted.
 *
 * @param before number of lines in the file before the text
 * @param refused code and hint of the error
 * @throws AppError with the line of every syntax fault
 */
export function readYaml(
  text: string,
  file: string,
  before: number,
  refused: { readonly code: string; readonly hint: string },
): YamlDocument {
  try {
    const document = readDocument(text, file, before, refused);
    if (!isDeeperThan(document.value, DEEPEST_INPUT)) return document;
  } catch (cause) {
    // Deep nesting overflows the stack of the YAML library, which is recursive.
    if (!(cause instanceof RangeError)) throw cause;
  }
  throw faultsError(refused.code, file, [{ where: file, message: TOO_DEEP }], refused.hint);
}

function readDocument(
  text: string,
  file: string,
  before: number,
  refused: { readonly code: string; readonly hint: string },
): YamlDocument {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const inFile = (offset: number): number => counter.linePos(offset).line + before;
  const refuse = (faults: readonly { readonly offset: number; readonly message: string }[]): Error =>
    faultsError(
      refused.code,
      file,
      faults.map(({ offset, message }) => ({ where: `${file}:${inFile(offset)}`, message })),
      refused.hint,
    );
  const aliases: { readonly offset: number; readonly message: string }[] = [];
  visit(document, {
    Alias(_key, alias) {
      const message = `the alias *${alias.source} needs an anchor &${alias.source} above it`;
      if (alias.resolve(document) === undefined) aliases.push({ offset: alias.range?.[0] ?? 0, message });
    },
  });
  // Thrown as a RangeError here, because the YAML library reports a stack overflow as a syntax error.
  if (document.errors.some(({ message }) => message.includes('call stack'))) throw new RangeError(TOO_DEEP);
  const errors = document.errors.map(({ pos, message }) => ({ offset: pos[0], message }));
  if (errors.length + aliases.length > 0) throw refuse([...errors, ...aliases]);
  const readValue = (): unknown => {
    try {
      return document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {};
    } catch (cause) {
      // A ReferenceError means an alias bomb: a few lines whose aliases expand to millions of nodes.
      if (!(cause instanceof ReferenceError)) throw cause;
      let offset = 0;
      visit(document, {
        Alias(_key, alias) {
          offset = alias.range?.[0] ?? 0;
        },
      });
      const message = `aliases expand to more than ${MOST_ALIASES} nodes; write the repeated values out`;
      throw refuse([{ offset, message }]);
    }
  };
  return {
    value: readValue(),
    lineOf(path) {
      // A missing field is reported at its nearest existing parent.
      for (let length = path.length; length > 0; length--) {
        const { key, value } = nodeAt(document, path.slice(0, length));
        const offset = key?.range?.[0] ?? value?.range?.[0];
        if (offset !== undefined) return inFile(offset);
      }
      return 1;
    },
    textOf(path) {
      const { value } = nodeAt(document, path);
      return isScalar(value) && value.value !== null ? (value.source ?? String(value.value)) : undefined;
    },
  };
}

/** Returns the node at a path, and the node of its name in an object. Follows aliases. */
function nodeAt(
  document: Document.Parsed,
  path: readonly PropertyKey[],
): { readonly key?: Node | undefined; readonly value?: Node | undefined } {
  let key: Node | undefined;
  let value = followed(document, document.contents);
  for (const part of path) {
    if (isMap(value)) {
      const pair = value.items.find(({ key: name }) => isScalar(name) && String(name.value) === String(part));
      key = isScalar(pair?.key) ? pair.key : undefined;
      value = followed(document, pair?.value);
    } else {
      key = undefined;
      value = isSeq(value) ? followed(document, value.get(Number(part), true)) : undefined;
    }
  }
  return { key, value };
}

function followed(document: Document.Parsed, node: unknown): Node | undefined {
  if (isAlias(node)) return node.resolve(document);
  return isNode(node) ? node : undefined;
}

/**
 * Returns the faults of the settings in a YAML document, each with its line.
 *
 * @param error result of the schema check of the settings
 * @param schema checked schema; if given, the messages suggest known setting names
 */
export function yamlFaults(
  file: string,
  document: Pick<YamlDocument, 'value' | 'lineOf'>,
  error: z.ZodError,
  schema?: z.ZodType,
): Fault[] {
  return error.issues.flatMap((issue): Fault[] => {
    const known = keysAt(schema, issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        return {
          where: `${file}:${document.lineOf(path)}`,
          message: `unknown setting ${path.join('.')}${insteadOf(key, known)}`,
        };
      });
    }
    const name = issue.path.join('.');
    const isShape = issue.code === 'invalid_type' && issue.expected === 'object' && known.length > 0;
    const expected = isShape ? `. Expected {${known.map((key) => `${key}: …`).join(', ')}}` : '';
    const message = issueText(issue, valueAt(document.value, issue.path)) + expected;
    return [
      {
        where: `${file}:${document.lineOf(issue.path)}`,
        message: name === '' ? message : `${name}: ${message}`,
      },
    ];
  });
}

/** Maximum number of names that a message lists. */
const MOST_NAMES = 20;

/**
 * Returns a suggestion for an unknown name, as the end of a message: the nearest known name, or all known
 * names.
 */
export function insteadOf(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `. Did you mean ${meant}?`;
  return known.length === 0 || known.length > MOST_NAMES ? '' : `. Expected ${known.join(', ')}`;
}

/** Returns the keys that a schema allows for an object at a path. */
function keysAt(schema: unknown, path: readonly PropertyKey[]): string[] {
  const { shape, element, options } = unwrapped(schema);
  if (Array.isArray(options)) return [...new Set(options.flatMap((each) => keysAt(each, path)))];
  const [key, ...rest] = path;
  if (key === undefined) return isObject(shape) ? Object.keys(shape) : [];
  return keysAt(isObject(shape) ? shape[String(key)] : element, rest);
}

/** Returns a schema without its defaults and its optional wrapper. */
function unwrapped(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(schema)) return {};
  let inner: unknown = schema;
  while (isObject(inner) && isObject(inner.def) && inner.def.innerType !== undefined)
    inner = inner.def.innerType;
  return isObject(inner) ? inner : {};
}

/** Matches whole strings, brackets and braces. A string that is a key includes its colon. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g;

/**
 * Finds keys that occur twice in one object of a JSON text. `JSON.parse` would silently use the last value of
 * such a key.
 *
 * @param text valid JSON
 * @param file file name, for the places of the faults
 */
export function doubledKeys(text: string, file: string): Fault[] {
  const faults: Fault[] = [];
  /** Keys found so far in each enclosing object. `undefined` for an enclosing list. */
  const around: (Set<string> | undefined)[] = [];
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    if (token === '{') around.push(new Set());
    else if (token === '[') around.push(undefined);
    else if (token === '}' || token === ']') around.pop();
    else if (colon !== undefined) {
      const name = token.slice(0, -colon.length);
      const key = JSON.parse(name) as string;
      const keys = around.at(-1);
      if (keys?.has(key) === true) {
        const line = text.slice(0, index).split('\n').length;
        faults.push({ where: `${file} line ${line}`, message: `duplicate key ${name}: remove one of them` });
      }
      keys?.add(key);
    }
  }
  return faults;
}

/**
 * True if objects and lists are nested deeper than `levels`. Works level by level: recursion would overflow
 * the stack on deep values.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    // Aliases of YAML repeat a value. The set stores each value only once per level.
    const next = new Set<unknown>();
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one))
          if (typeof inner === 'object' && inner !== null) next.add(inner);
    level = [...next];
  }
  return false;
}
