import type { SyntaxNode } from '@lezer/common';
import {
  ATTRIBUTES,
  BLOCKS,
  EVALUATES,
  FUNCTION_KEYWORDS,
  GENERATOR_ATTRIBUTES,
  INDICATORS,
  MODULES,
  NAMES,
  NEW_STORES,
  OWN_METHODS,
  OWN_STORES,
  TAKES_FUNCTIONS,
} from './allowed-names.ts';
import { Arguments } from './arguments.ts';
import { Bindings, importedPath, isModule } from './bindings.ts';
import { attributeOf, COMPREHENSIONS, childrenOf, isColumn, isSubscripted, Unproved } from './tree.ts';

/**
 * Node names of the parser `@lezer/python` for the allowed syntax. Code with any other syntax is not proved,
 * for example with classes, decorators, or patterns with dots.
 */
const SYNTAX = new Set(
  `Script Comment AssignStatement UpdateStatement UpdateOp AssignOp TypeDef BinaryExpression UnaryExpression ArithOp BitOp
  CompareOp ConditionalExpression ParenthesizedExpression LambdaExpression ParamList VariableName NamedExpression
  TupleExpression ArrayExpression ArrayComprehensionExpression ComprehensionExpression DictionaryExpression
  DictionaryComprehensionExpression SetExpression SetComprehensionExpression CallExpression ArgList MemberExpression
  PropertyName Number String FormatString FormatReplacement FormatConversion FormatSelfDoc FormatSpec ContinuedString
  Ellipsis None Boolean ExpressionStatement PassStatement BreakStatement ContinueStatement ReturnStatement ScopeStatement
  AssertStatement RaiseStatement StatementGroup IfStatement Body WhileStatement ForStatement TryStatement
  FunctionDefinition ImportStatement DeleteStatement WithStatement YieldStatement YieldExpression MatchStatement MatchBody MatchClause Guard LiteralPattern
  MappingPattern SequencePattern StarPattern CapturePattern AsPattern OrPattern LogicOp
  and or not in is if else elif for while try except finally def lambda return pass break continue global nonlocal assert
  raise from import as del with yield match case @ ( ) [ ] { } , : . ; * ** Escape`
    .trim()
    .split(/\s+/),
);

/**
 * Object whose fields the code can only read, such as the parameters of a strategy. `object` is the name of
 * the variable. `names` are the names of its fields.
 */
export interface ReadOnlyRecord {
  readonly object: string;
  readonly names: ReadonlySet<string>;
}

/**
 * Visits a syntax tree. Throws {@link Unproved} at the first syntax or name that is not on the allow-list.
 */
export class Judge {
  /** Identifiers of all visited nodes. An attribute has a dot before its name. */
  readonly identifiers: string[] = [];
  readonly #names: Bindings;
  readonly #arguments: Arguments;
  /**
   * Start position of the function that is called in the header of the newest `with` statement. −1 before the
   * first.
   */
  #header = -1;

  readonly #record: ReadOnlyRecord | undefined;

  constructor(root: SyntaxNode, text: string, record?: ReadOnlyRecord) {
    this.#record = record;
    this.#names = new Bindings(root, text);
    this.#arguments = new Arguments(this.#names);
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
      case 'CapturePattern':
        return this.#capture(children[0]!);
      case 'AsPattern':
        this.visit(children[0]!);
        return this.#capture(children.at(-1)!);
      case 'UpdateStatement':
        // `x += […]` changes a list in place. Unless this call has created the list, a later call may use it.
        if (children[0]!.name === 'VariableName' && !this.#names.isOwnName(children[0]!))
          throw new Unproved(
            `changes ${this.#text(children[0]!)} in place, which this call may not have made`,
          );
        this.#targets(children, 'UpdateOp');
        break;
      case 'AssignStatement':
        this.#targets(children, 'AssignOp');
        break;
      case 'DeleteStatement':
        for (const child of children.slice(1)) checkStore(child, this.#names);
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

  /** Checks the targets between `for` and `in`, in a statement, a comprehension or the brackets of a call. */
  #loops(children: readonly SyntaxNode[]): void {
    let target = false;
    for (const child of children) {
      if (child.name === 'for' || child.name === 'in') target = child.name === 'for';
      else if (target) checkStore(child, this.#names);
    }
  }

  /**
   * Rejects `yield` inside `try`, `with` and lambdas. When a suspended generator is discarded, which may be
   * after the call, `try` and `with` run the code at their end. In other places, no code runs then.
   */
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
    // Python treats some Unicode letters as equal to ASCII letters. To avoid differences, only ASCII is
    // accepted here.
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

  /**
   * Rejects a context manager outside the header of a `with` statement. If it is used in another way, for
   * example as a decorator, it may not undo its changes.
   */
  #outsideOfWith(path: string, node: SyntaxNode): void {
    if (BLOCKS.has(path) && node.from !== this.#header)
      throw new Unproved(`${path} outside of a with statement`);
  }

  /**
   * Checks the name of a function, its parameters with their defaults, or the names after `global` and
   * `nonlocal`.
   */
  #binding(children: readonly SyntaxNode[]): void {
    for (const child of children) {
      if (child.name === 'async') throw new Unproved('syntax: async');
      if (child.name === 'VariableName') this.#note(this.#text(child));
      else this.visit(child);
    }
  }

  /** Checks a name in a pattern of a `match` statement. The name `_` binds nothing. */
  #capture(node: SyntaxNode): void {
    if (node.name !== 'VariableName') throw new Unproved(`syntax: ${node.name}`);
    const name = this.#text(node);
    if (name !== '_') this.#note(name);
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
    if (name === 'at' && isSubscripted(node)) return;
    if (name === 'ta' || ATTRIBUTES.has(name) || GENERATOR_ATTRIBUTES.has(name)) return;
    if ((TAKES_FUNCTIONS.has(name) || EVALUATES.has(name)) && called) return;
    if (OWN_METHODS.has(name) && this.#names.isOwnName(attribute.object)) return;
    if (isColumn(name)) return;
    if (this.#record?.names.has(name) === true && this.#text(attribute.object) === this.#record.object)
      return;
    if (name === 'format' && this.#isPlainFormat(attribute.object)) return;
    throw new Unproved(`attribute: ${name}`);
  }

  #memberOf(path: string, name: string): void {
    const known = path === 'ta' ? INDICATORS : MODULES[path]!;
    if (name.startsWith('_') && name !== '__version__') throw new Unproved(`attribute: ${path}.${name}`);
    if (known !== '*' && !known.has(name)) throw new Unproved(`attribute: ${path}.${name}`);
  }

  /** Returns true for a format string whose fields read only attributes in `ATTRIBUTES`. */
  #isPlainFormat(node: SyntaxNode): boolean {
    if (node.name !== 'String') return false;
    // This check does not interpret escape sequences, so a text with one is not accepted.
    if (this.#text(node).includes('\\')) return false;
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
      this.#arguments.expression(childrenOf(list), method);
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
        const named = this.#text(child);
        this.#note(named);
        this.#arguments.keyword(named, value, callee, children);
        if (FUNCTION_KEYWORDS.has(named)) this.#arguments.functions(value, named);
        else if (method === 'agg' || method === 'aggregate') this.#arguments.namedAggregation(value, name);
        this.visit(value);
        place += 2;
        continue;
      }
      if (takesFunctions && position === 0 && !['(', ',', ')', '*', '**'].includes(child.name)) {
        this.#arguments.functions(child, name);
        position += 1;
      }
      this.visit(child);
    }
  }

  #targets(children: readonly SyntaxNode[], operator: string): void {
    const last = children.findLastIndex((child) => child.name === operator);
    for (const child of children.slice(0, last)) checkStore(child, this.#names);
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

/**
 * Checks the target of an assignment or of `del`. The target must be a name, or belong to an object that this
 * call has created.
 */
function checkStore(node: SyntaxNode, names: Bindings): void {
  if (node.name !== 'MemberExpression') {
    if (/^(Tuple|Array|Parenthesized)Expression$/.test(node.name))
      for (const child of childrenOf(node)) checkStore(child, names);
    return;
  }
  const attribute = attributeOf(node);
  const [object] = childrenOf(node);
  if (attribute !== undefined) {
    const stored = names.textOf(attribute.name);
    if (NEW_STORES.has(stored) && names.isNewName(attribute.object)) return;
    if ((OWN_STORES.has(stored) || isColumn(stored)) && names.isOwnName(attribute.object)) return;
  } else if (names.isOwnName(object!)) {
    return;
  } else {
    const inner = attributeOf(object!);
    const by = inner && names.textOf(inner.name);
    if (inner && /^(loc|iloc|at|iat)$/.test(by!) && names.isOwnName(inner.object)) return;
  }
  throw new Unproved(`stores into ${names.textOf(node).slice(0, 40)}, which this call may not have made`);
}
