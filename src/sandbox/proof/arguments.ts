import type { SyntaxNode } from '@lezer/common';
import {
  AGGREGATIONS,
  FREE_KEYWORDS,
  FUNCTION_KEYWORDS,
  KEYWORDS,
  MAKERS,
  NAMES,
  OWN_IN_PLACE,
} from './allowed-names.ts';
import type { Bindings } from './bindings.ts';
import { attributeOf, childrenOf, Unproved } from './tree.ts';

/**
 * Matches one token of an expression for pandas: an operator, a number, or a name that is not called, indexed
 * or followed by a dot. Spaces before the token are included.
 */
const WORD =
  /\s*(?:(?:and|or|not)\b|@?[A-Za-z]\w*\b(?!\s*[.([])|\d+(?:\.\d+)?(?![\w.])|[<>!]=|==|\*\*|\/\/|[-+*/%<>&|~()])/y;
const TARGET = /^\s*[A-Za-z]\w*\s*=(?!=)/;
/**
 * Returns true if a line for `df.eval` or `df.query` consists only of names, numbers and operators.
 *
 * The line is matched token by token. A single expression for the whole line would try every way of splitting
 * it.
 */
function isPlainExpression(line: string): boolean {
  const end = line.trimEnd().length;
  let place = TARGET.exec(line)?.[0].length ?? 0;
  if (place >= end) return false;
  while (place < end) {
    WORD.lastIndex = place;
    if (!WORD.test(line)) return false;
    place = WORD.lastIndex;
  }
  return true;
}

/**
 * Keyword arguments that are not allowed, except in the cases of {@link Arguments.keyword}. They let a
 * function write to an existing object, share memory with it, or skip checks.
 */
const REFUSED_KEYWORDS = new Set([
  'inplace',
  'out',
  'where',
  'copy',
  'refcheck',
  'engine',
  'engine_kwargs',
  'append',
]);

/**
 * Checks the arguments of a call: keywords, functions that pandas will call, and texts that pandas will
 * evaluate. Throws {@link Unproved} if an argument is not allowed.
 */
export class Arguments {
  readonly #names: Bindings;

  constructor(names: Bindings) {
    this.#names = names;
  }

  /** Checks one keyword argument `keyword=value` of a call. `all` contains all arguments of the call. */
  keyword(keyword: string, value: SyntaxNode, callee: SyntaxNode, all: readonly SyntaxNode[]): void {
    const attribute = attributeOf(callee);
    const name = this.#names.textOf(attribute?.name ?? callee);
    const path = attribute && this.#names.pathOf(attribute.object);
    if (callee.name === 'VariableName' && this.#names.of(name) === 'function') return;
    const onOwn = attribute !== undefined && this.#names.isOwnName(attribute.object);
    if (keyword === 'inplace' && attribute !== undefined) {
      const renames =
        name === 'rename' && all.some((each) => /^(columns|index)$/.test(this.#names.textOf(each)));
      if (this.#names.textOf(value) === 'False' || (onOwn && (OWN_IN_PLACE.has(name) || renames))) return;
    }
    if (keyword === 'append' && path === 'ta') {
      const accessor = attributeOf(attribute!.object);
      if (accessor !== undefined && this.#names.isOwnName(accessor.object)) return;
    }
    if (keyword === 'copy' && this.#names.textOf(value) === 'True') return;
    if (!REFUSED_KEYWORDS.has(keyword)) {
      if (KEYWORDS.has(keyword) || FUNCTION_KEYWORDS.has(keyword) || FREE_KEYWORDS.has(name)) return;
      if (path === 'ta') return;
      // The function is an element such as `functions[0]`, or an inline lambda. Usually the code itself has
      // defined the function and its parameters. Keywords outside `REFUSED_KEYWORDS` are then harmless.
      if (callee.name !== 'VariableName' && attribute === undefined) return;
    }
    throw new Unproved(`argument: ${keyword}=`);
  }

  /**
   * Checks an expression such as that of `df.query("close > @level")`. It must be one plain text of names,
   * numbers and operators. A text that could access an attribute, an item or a function is not proved.
   */
  expression(children: readonly SyntaxNode[], method: string): void {
    const text =
      children.length === 3 && children[1]!.name === 'String' ? this.#names.textOf(children[1]!) : '';
    const lines = text.slice(1, -1).split('\\n');
    if (/^(['"])[^'"\\]/.test(text) && lines.every(isPlainExpression)) return;
    throw new Unproved(`${method} of more than names, numbers and operators`);
  }

  /**
   * Checks a named aggregation such as `top=("high", "max")`: a column and the function that is applied to
   * it.
   */
  namedAggregation(value: SyntaxNode, name: string): void {
    const parts = childrenOf(value).filter((child) => !['(', ')', ','].includes(child.name));
    if (value.name === 'TupleExpression' && parts.length === 2 && parts[0]!.name === 'String')
      this.functions(parts[1]!, name);
    else if (value.name !== 'Number') this.functions(value, name);
  }

  /**
   * Checks an argument with functions that pandas will call. They must be functions that the code defines,
   * functions of numpy, allowed builtins, or names of known reductions.
   */
  functions(node: SyntaxNode, name: string): void {
    const children = childrenOf(node);
    const all = (nodes: readonly SyntaxNode[]): void => {
      for (const each of nodes) if (!/^[()[\]{},:]$/.test(each.name)) this.functions(each, name);
    };
    if (node.name === 'LambdaExpression') return;
    if (node.name === 'ConditionalExpression') return all([children[0]!, children[4]!]);
    if (['ArrayExpression', 'TupleExpression', 'ParenthesizedExpression'].includes(node.name))
      return all(children);
    if (node.name === 'DictionaryExpression') {
      return all(children.filter((_, place) => children[place - 1]?.name === ':'));
    }
    if (node.name === 'VariableName') {
      const text = this.#names.textOf(node);
      const bound = this.#names.of(text);
      if (bound === 'function' || (bound === undefined && (MAKERS.has(text) || NAMES.has(text)))) return;
    }
    if (node.name === 'MemberExpression' && this.#names.pathOf(node)?.startsWith('np.')) return;
    if (node.name === 'String' && AGGREGATIONS.has(this.#names.textOf(node).slice(1, -1))) return;
    throw new Unproved(`${name} of ${this.#names.textOf(node).slice(0, 40)}`);
  }
}
