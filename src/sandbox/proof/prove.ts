import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { ATTRIBUTE_NAMES } from './attribute-names.ts';
import { attributeOf, Bindings, COMPREHENSIONS, childrenOf, importedPath, isModule } from './bindings.ts';
import {
  AGGREGATIONS,
  ATTRIBUTES,
  BLOCKS,
  EVALUATES,
  FREE_KEYWORDS,
  FUNCTION_KEYWORDS,
  GENERATOR_ATTRIBUTES,
  INDICATORS,
  KEYWORDS,
  MAKERS,
  MODULES,
  NAMES,
  OWN_IN_PLACE,
  OWN_METHODS,
  OWN_STORES,
  TAKES_FUNCTIONS,
} from './known.ts';
import { LONGEST_PROVED, tidySource } from './source.ts';

/**
 * Whether running a text is proved to leave nothing behind.
 *
 * `facts` are the identifiers of the tree that was judged, in order of the alphabet; Python compares them with those of
 * the tree it runs, so that a text the two parsers read differently is never taken for clean.
 */
export type Proof =
  | { readonly clean: true; readonly facts: string }
  | { readonly clean: false; readonly because: string };

/** Syntax that only computes. What is not here, such as classes, decorators and `match`, is not proved. */
const SYNTAX = new Set(
  `Script Comment AssignStatement UpdateStatement UpdateOp AssignOp TypeDef BinaryExpression UnaryExpression ArithOp BitOp
  CompareOp ConditionalExpression ParenthesizedExpression LambdaExpression ParamList VariableName NamedExpression
  TupleExpression ArrayExpression ArrayComprehensionExpression ComprehensionExpression DictionaryExpression
  DictionaryComprehensionExpression SetExpression SetComprehensionExpression CallExpression ArgList MemberExpression
  PropertyName Number String FormatString FormatReplacement FormatConversion FormatSelfDoc FormatSpec ContinuedString
  Ellipsis None Boolean ExpressionStatement PassStatement BreakStatement ContinueStatement ReturnStatement ScopeStatement
  AssertStatement RaiseStatement StatementGroup IfStatement Body WhileStatement ForStatement TryStatement
  FunctionDefinition ImportStatement DeleteStatement WithStatement YieldStatement YieldExpression
  and or not in is if else elif for while try except finally def lambda return pass break continue global nonlocal assert
  raise from import as del with yield @ ( ) [ ] { } , : . ; * ** Escape`
    .trim()
    .split(/\s+/),
);

/** Arguments that no call may have, whatever its other keywords: they write into memory or skip its checks. */
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

/** One word of an expression that only computes, with the spaces before it. */
const WORD =
  /\s*(?:(?:and|or|not)\b|@?[A-Za-z]\w*\b(?!\s*[.([])|\d+(?:\.\d+)?(?![\w.])|[<>!]=|==|\*\*|\/\/|[-+*/%<>&|~()])/y;
const TARGET = /^\s*[A-Za-z]\w*\s*=(?!=)/;
/** How deep a tree may be: the judge calls itself, and looks up the way from a node to its root. */
const DEEPEST = 250;

/** Word by word, each as long as it can be: an expression for the whole line would try every other way to split it. */
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

class Unproved extends Error {}

/** No object has an attribute of that name: it is a column of a frame, or an error. */
function isColumn(name: string): boolean {
  return !name.startsWith('_') && !ATTRIBUTE_NAMES.has(name);
}

/** Judges agent code by an allow-list over its syntax tree; never runs it, never throws, and takes time by its length. */
export function proveText(source: string): Proof {
  if (source.length > LONGEST_PROVED) return { clean: false, because: 'longer than what is proved' };
  try {
    const text = tidySource(source);
    if (/[\f\0\v\uFEFF\r]/.test(text)) return { clean: false, because: 'control characters' };
    const root = parser.parse(text).topNode;
    checkShape(root);
    const judge = new Judge(root, text);
    judge.visit(root);
    return { clean: true, facts: judge.identifiers.sort().join(' ') };
  } catch (error) {
    // Any other error is a tree nobody thought of: what cannot be judged is not proved.
    return { clean: false, because: error instanceof Unproved ? error.message : 'cannot be judged' };
  }
}

/** Whole, so that every node has the children its kind promises, and no deeper than the judge can go. */
function checkShape(root: SyntaxNode): void {
  let depth = 0;
  root.cursor().iterate(
    (node) => {
      depth += 1;
      if (node.type.isError) throw new Unproved('syntax: cannot be parsed');
      if (depth > DEEPEST) throw new Unproved('syntax: nested too deeply');
    },
    () => {
      depth -= 1;
    },
  );
}

class Judge {
  /** Attributes with a point before them. */
  readonly identifiers: string[] = [];
  readonly #names: Bindings;
  /** Where the function begins that the header of a `with` calls. */
  #header = -1;

  constructor(root: SyntaxNode, text: string) {
    this.#names = new Bindings(root, text);
  }

  visit(node: SyntaxNode): void {
    if (!SYNTAX.has(node.name)) throw new Unproved(`syntax: ${node.name}`);
    const children = childrenOf(node);
    switch (node.name) {
      case 'VariableName':
        return this.#name(node);
      case 'MemberExpression':
        return this.#member(node, false);
      case 'CallExpression':
        return this.#call(children);
      case 'ImportStatement':
        return this.#import(children);
      case 'WithStatement':
        return this.#with(children);
      case 'YieldStatement':
      case 'YieldExpression':
        this.#yield(node);
        break;
      case 'FunctionDefinition':
      case 'ParamList':
      case 'ScopeStatement':
        return this.#binding(children);
      case 'AssignStatement':
      case 'UpdateStatement':
        this.#targets(children, node.name === 'UpdateStatement' ? 'UpdateOp' : 'AssignOp');
        break;
      case 'DeleteStatement':
        for (const child of children.slice(1)) this.#store(child);
        break;
      case 'ForStatement':
      case 'ComprehensionExpression':
        this.#loops(children);
        break;
      default:
        if (COMPREHENSIONS.includes(node.name)) this.#loops(children);
    }
    for (const child of children) this.visit(child);
  }

  /** What stands between `for` and `in` is stored into, in a statement, a comprehension and the brackets of a call. */
  #loops(children: readonly SyntaxNode[]): void {
    let target = false;
    for (const child of children) {
      if (child.name === 'for' || child.name === 'in') target = child.name === 'for';
      else if (target) this.#store(child);
    }
  }

  /** Where nothing waits for its end, dropping a suspended generator runs none of its code. */
  #yield(node: SyntaxNode): void {
    for (
      let outer = node.parent;
      outer !== null && outer.name !== 'FunctionDefinition';
      outer = outer.parent
    ) {
      if (['TryStatement', 'WithStatement', 'LambdaExpression'].includes(outer.name))
        throw new Unproved('a yield inside try or with');
    }
  }

  #text(node: SyntaxNode): string {
    return this.#names.textOf(node);
  }

  #note(identifier: string): void {
    // Python folds other spellings of a letter into one; this judge does not.
    if (!/^\.?[A-Za-z0-9_]+$/.test(identifier)) throw new Unproved('a name outside ASCII');
    this.identifiers.push(identifier);
  }

  #name(node: SyntaxNode): void {
    const name = this.#text(node);
    this.#note(name);
    const bound = this.#names.of(name);
    if (bound === undefined && !NAMES.has(name)) throw new Unproved(`name: ${name}`);
    if (typeof bound === 'object') this.#outsideOfWith(bound.path, node);
  }

  /** A context entered in any other way, or as a decorator, need not be left as it was entered. */
  #outsideOfWith(path: string, node: SyntaxNode): void {
    if (BLOCKS.has(path) && node.from !== this.#header)
      throw new Unproved(`${path} outside of a with statement`);
  }

  /** A function's name, its parameters and their defaults; names of `global` and `nonlocal`. */
  #binding(children: readonly SyntaxNode[]): void {
    for (const child of children) {
      if (child.name === 'async') throw new Unproved('syntax: async');
      if (child.name === 'VariableName') this.#note(this.#text(child));
      else this.visit(child);
    }
  }

  #member(node: SyntaxNode, called: boolean): void {
    const attribute = attributeOf(node);
    if (attribute === undefined) {
      for (const child of childrenOf(node)) this.visit(child);
      return;
    }
    const name = this.#text(attribute.name);
    this.#note(`.${name}`);
    this.visit(attribute.object);
    const path = this.#names.pathOf(attribute.object);
    if (path !== undefined) this.#outsideOfWith(`${path}.${name}`, node);
    if (path !== undefined && isModule(path)) return this.#memberOf(path, name);
    if (name === 'ta' || ATTRIBUTES.has(name) || GENERATOR_ATTRIBUTES.has(name)) return;
    if ((TAKES_FUNCTIONS.has(name) || EVALUATES.has(name)) && called) return;
    if (OWN_METHODS.has(name) && this.#names.isOwnName(attribute.object)) return;
    if (isColumn(name)) return;
    if (name === 'format' && this.#isPlainFormat(attribute.object)) return;
    throw new Unproved(`attribute: ${name}`);
  }

  #memberOf(path: string, name: string): void {
    const known = path === 'ta' ? INDICATORS : MODULES[path]!;
    if (name.startsWith('_') && name !== '__version__') throw new Unproved(`attribute: ${path}.${name}`);
    if (known !== '*' && !known.has(name)) throw new Unproved(`attribute: ${path}.${name}`);
  }

  /** A text whose fields read nothing but attributes that only read. */
  #isPlainFormat(node: SyntaxNode): boolean {
    if (node.name !== 'String') return false;
    const read = this.#text(node).matchAll(/\.\s*([A-Za-z_]\w*)/g);
    return [...read].every(([, name]) => ATTRIBUTES.has(name!));
  }

  #call([callee, list]: readonly SyntaxNode[]): void {
    if (callee === undefined || list === undefined) throw new Unproved('syntax: a call');
    const attribute = attributeOf(callee);
    if (callee.name === 'MemberExpression') this.#member(callee, true);
    else this.visit(callee);
    const method = attribute === undefined ? undefined : this.#text(attribute.name);
    const name = method ?? (callee.name === 'VariableName' ? this.#text(callee) : '');
    const inModule = attribute !== undefined && this.#names.pathOf(attribute.object) !== undefined;
    if (method !== undefined && EVALUATES.has(method) && !inModule)
      this.#expression(childrenOf(list), method);
    const takesFunctions = method !== undefined && TAKES_FUNCTIONS.has(method) && !inModule;
    const children = childrenOf(list);
    this.#loops(children);
    let position = 0;
    for (let place = 0; place < children.length; place++) {
      const child = children[place]!;
      if (child.name === '**' && this.#names.of(name) !== 'function')
        throw new Unproved('keywords that are not spelled out');
      if (child.name === '*' && takesFunctions) throw new Unproved(`${name} of arguments not spelled out`);
      if (children[place + 1]?.name === 'AssignOp') {
        const value = children[place + 2]!;
        this.#keyword(child, value, callee, children);
        const named = this.#text(child);
        if (FUNCTION_KEYWORDS.has(named)) this.#functions(value, named);
        else if (method === 'agg' || method === 'aggregate') this.#namedAggregation(value, name);
        this.visit(value);
        place += 2;
        continue;
      }
      if (takesFunctions && position === 0 && !['(', ',', ')', '*', '**'].includes(child.name)) {
        this.#functions(child, name);
        position += 1;
      }
      this.visit(child);
    }
  }

  #keyword(node: SyntaxNode, value: SyntaxNode, callee: SyntaxNode, all: readonly SyntaxNode[]): void {
    const keyword = this.#text(node);
    this.#note(keyword);
    const attribute = attributeOf(callee);
    const name = this.#text(attribute?.name ?? callee);
    const path = attribute && this.#names.pathOf(attribute.object);
    if (callee.name === 'VariableName' && this.#names.of(name) === 'function') return;
    const onOwn = attribute !== undefined && this.#names.isOwnName(attribute.object);
    if (keyword === 'inplace' && attribute !== undefined) {
      const renames = name === 'rename' && all.some((each) => /^(columns|index)$/.test(this.#text(each)));
      if (this.#text(value) === 'False' || (onOwn && (OWN_IN_PLACE.has(name) || renames))) return;
    }
    if (keyword === 'append' && path === 'ta') {
      const accessor = attributeOf(attribute!.object);
      if (accessor !== undefined && this.#names.isOwnName(accessor.object)) return;
    }
    if (keyword === 'copy' && this.#text(value) === 'True') return;
    if (!REFUSED_KEYWORDS.has(keyword)) {
      if (KEYWORDS.has(keyword) || FUNCTION_KEYWORDS.has(keyword) || FREE_KEYWORDS.has(name)) return;
      if (path === 'ta') return;
      // Parameters of functions kept in variables or written in place are the call's own.
      if (callee.name !== 'VariableName' && attribute === undefined) return;
    }
    throw new Unproved(`argument: ${keyword}=`);
  }

  /**
   * `df.query("close > @level")`: one plain text of names, numbers and operators. Whatever could look up an attribute,
   * an item or a function in it is not proved.
   */
  #expression(children: readonly SyntaxNode[], method: string): void {
    const text = children.length === 3 && children[1]!.name === 'String' ? this.#text(children[1]!) : '';
    const lines = text.slice(1, -1).split('\\n');
    if (/^(['"])[^'"\\]/.test(text) && lines.every(isPlainExpression)) return;
    throw new Unproved(`${method} of more than names, numbers and operators`);
  }

  /** `top=("high", "max")`: a column and what is done with it. */
  #namedAggregation(value: SyntaxNode, name: string): void {
    const parts = childrenOf(value).filter((child) => !['(', ')', ','].includes(child.name));
    if (value.name === 'TupleExpression' && parts.length === 2 && parts[0]!.name === 'String')
      this.#functions(parts[1]!, name);
    else if (value.name !== 'Number') this.#functions(value, name);
  }

  /** What pandas will call: functions of the call, of numpy, or known reductions by their names. */
  #functions(node: SyntaxNode, name: string): void {
    const children = childrenOf(node);
    const all = (nodes: readonly SyntaxNode[]): void => {
      for (const each of nodes) if (!/^[()[\]{},:]$/.test(each.name)) this.#functions(each, name);
    };
    if (node.name === 'LambdaExpression') return;
    if (node.name === 'ConditionalExpression') return all([children[0]!, children[4]!]);
    if (['ArrayExpression', 'TupleExpression', 'ParenthesizedExpression'].includes(node.name))
      return all(children);
    if (node.name === 'DictionaryExpression') {
      return all(children.filter((_, place) => children[place - 1]?.name === ':'));
    }
    if (node.name === 'VariableName') {
      const text = this.#text(node);
      const bound = this.#names.of(text);
      if (bound === 'function' || (bound === undefined && (MAKERS.has(text) || NAMES.has(text)))) return;
    }
    if (node.name === 'MemberExpression' && this.#names.pathOf(node)?.startsWith('np.')) return;
    if (node.name === 'String' && AGGREGATIONS.has(this.#text(node).slice(1, -1))) return;
    throw new Unproved(`${name} of ${this.#text(node).slice(0, 40)}`);
  }

  #targets(children: readonly SyntaxNode[], operator: string): void {
    const last = children.findLastIndex((child) => child.name === operator);
    for (const child of children.slice(0, last)) this.#store(child);
  }

  /** A target of an assignment or of `del`. */
  #store(node: SyntaxNode): void {
    if (node.name !== 'MemberExpression') {
      if (/^(Tuple|Array|Parenthesized)Expression$/.test(node.name))
        for (const child of childrenOf(node)) this.#store(child);
      return;
    }
    const attribute = attributeOf(node);
    const [object] = childrenOf(node);
    if (attribute !== undefined) {
      const stored = this.#text(attribute.name);
      if ((OWN_STORES.has(stored) || isColumn(stored)) && this.#names.isOwnName(attribute.object)) return;
    } else if (this.#names.isOwnName(object!)) {
      return;
    } else {
      const inner = attributeOf(object!);
      const by = inner && this.#text(inner.name);
      if (inner && /^(loc|iloc|at|iat)$/.test(by!) && this.#names.isOwnName(inner.object)) return;
    }
    throw new Unproved(`stores into ${this.#text(node).slice(0, 40)}, which this call may not have made`);
  }

  #import(children: readonly SyntaxNode[]): void {
    const from = children[0]!.name === 'from';
    const cut = children.findIndex((child) => child.name === 'import');
    const module = importedPath(
      children
        .slice(1, cut)
        .map((child) => this.#text(child))
        .join(''),
    );
    const lists = children.slice(cut + 1).map((child) => this.#text(child));
    for (const child of children) if (child.name === 'VariableName') this.#note(this.#text(child));
    const imported = lists
      .filter((word) => word !== '(' && word !== ')')
      .join(' ')
      .split(',');
    for (const each of imported) {
      const dotted = each.trim().split(' as ')[0]!.replaceAll(' ', '');
      if (dotted === '') continue;
      if (from && isModule(module)) this.#memberOf(module, dotted);
      else if (from || !isModule(importedPath(dotted)))
        throw new Unproved(`import of ${from ? module : dotted}`);
    }
  }

  #with(children: readonly SyntaxNode[]): void {
    for (const [place, child] of children.entries()) {
      if (child.name === 'async') throw new Unproved('syntax: async');
      if (child.name === 'CallExpression') {
        const callee = childrenOf(child)[0]!;
        const path = this.#names.pathOf(callee) ?? '';
        if (!BLOCKS.has(path)) throw new Unproved(`with ${this.#text(callee).slice(0, 40)}`);
        this.#header = callee.from;
        this.#call(childrenOf(child));
      } else if (child.name === 'VariableName' && children[place - 1]?.name === 'as') {
        this.#note(this.#text(child));
      } else if (child.name === 'Body' || ['with', 'as', ','].includes(child.name)) {
        this.visit(child);
      } else {
        throw new Unproved('with something that is not known');
      }
    }
  }
}
