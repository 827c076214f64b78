import type { SyntaxNode } from '@lezer/common';
import {
  GIVEN_MODULES,
  HANDS_BACK,
  MAKERS,
  MODULE_NAMES,
  MODULES,
  NEW,
  OWN_NAMES,
  TAKES_FUNCTIONS,
  WINDOWS,
} from './allowed-names.ts';
import { attributeOf, COMPREHENSIONS, childrenOf } from './tree.ts';

/**
 * Meaning of a name in the whole code of a call. `new`: an object that certainly did not exist before the
 * call. `own`: an object that belongs to this call, or that assignments to its items cannot change, such as
 * an Index. `function`: a function defined in the code. A `path`: a module or a member of a module. `other`:
 * anything else.
 */
export type Binding = 'new' | 'own' | 'function' | 'other' | { readonly path: string };

const MADE = new Set([
  'ArrayExpression',
  'DictionaryExpression',
  'SetExpression',
  'TupleExpression',
  'String',
  'FormatString',
  'ContinuedString',
  'Number',
  'Boolean',
  'None',
  ...COMPREHENSIONS,
  'ComprehensionExpression',
]);

/** Meanings of all names in the code of a call. */
export class Bindings {
  readonly #names = new Map<string, Binding>();
  readonly #text: string;

  constructor(root: SyntaxNode, text: string) {
    this.#text = text;
    this.#visit(root);
  }

  /**
   * Returns the meaning of a name. `undefined` if the code does not bind the name, and the name is not a
   * module or an object that is created for each call.
   */
  of(name: string): Binding | undefined {
    const bound = this.#names.get(name);
    if (bound !== undefined) return bound;
    if (GIVEN_MODULES.has(name)) return { path: name };
    return OWN_NAMES.has(name) || /^df_[a-z0-9_]+$/.test(name) ? 'own' : undefined;
  }

  /**
   * Returns the path of a module or of its member, such as `np.linalg`. `undefined` for other expressions.
   */
  pathOf(node: SyntaxNode): string | undefined {
    if (node.name === 'VariableName') {
      const bound = this.of(this.textOf(node));
      return typeof bound === 'object' ? bound.path : undefined;
    }
    const attribute = attributeOf(node);
    if (attribute === undefined) return undefined;
    const name = this.textOf(attribute.name);
    // The accessor `ta` of a frame has the same members as the module `ta`.
    if (name === 'ta') return 'ta';
    const outer = this.pathOf(attribute.object);
    return outer === undefined ? undefined : `${outer}.${name}`;
  }

  textOf(node: SyntaxNode): string {
    return this.#text.slice(node.from, node.to);
  }

  isOwnName(node: SyntaxNode): boolean {
    if (node.name !== 'VariableName') return false;
    const bound = this.of(this.textOf(node));
    return bound === 'own' || bound === 'new';
  }

  isNewName(node: SyntaxNode): boolean {
    return node.name === 'VariableName' && this.of(this.textOf(node)) === 'new';
  }

  #bind(name: string, binding: Binding): void {
    const before = this.#names.get(name) ?? (OWN_NAMES.has(name) ? 'own' : undefined);
    const same =
      before === undefined ||
      before === binding ||
      (typeof before === 'object' && typeof binding === 'object' && before.path === binding.path);
    const made = [before, binding].every((each) => each === 'own' || each === 'new');
    this.#names.set(name, same ? binding : made ? 'own' : 'other');
  }

  #visit(node: SyntaxNode): void {
    const children = childrenOf(node);
    switch (node.name) {
      case 'AssignStatement':
        this.#assignment(children);
        break;
      case 'NamedExpression':
        this.#bind(this.textOf(children[0]!), this.#valueOf(children[2]));
        break;
      case 'FunctionDefinition':
        for (const child of children)
          if (child.name === 'VariableName') this.#bind(this.textOf(child), 'function');
        break;
      case 'ParamList':
        // The children also contain default values. Their names are bound to `other`, which is safe, because
        // this can only make a proof fail.
        for (const child of children) this.#bindAll(child, 'other');
        break;
      case 'CapturePattern':
        this.#bindAll(children[0]!, 'other');
        break;
      case 'AsPattern':
        this.#bindAll(children.at(-1)!, 'other');
        break;
      case 'ForStatement':
      case 'ArgList':
      case 'ComprehensionExpression':
      case 'WithStatement':
      case 'TryStatement':
        this.#targets(children);
        break;
      case 'ImportStatement':
        this.#import(children);
        break;
      default:
        if (COMPREHENSIONS.includes(node.name)) this.#targets(children);
    }
    for (const child of children) this.#visit(child);
  }

  /** Gives the meaning `other` to the names between `for` and `in`, and to the names after `as`. */
  #targets(children: readonly SyntaxNode[]): void {
    let binding = false;
    for (const child of children) {
      if (child.name === 'for' || child.name === 'as') binding = true;
      else if (child.name === 'in' || child.name === 'Body' || child.name === ',' || child.name === ')')
        binding = child.name === ',' && binding;
      else if (binding) this.#bindAll(child, 'other');
    }
  }

  #bindAll(node: SyntaxNode, binding: Binding): void {
    if (node.name === 'VariableName') this.#bind(this.textOf(node), binding);
    else if (['TupleExpression', 'ArrayExpression', 'ParenthesizedExpression'].includes(node.name))
      for (const child of childrenOf(node)) this.#bindAll(child, binding);
  }

  #assignment(children: readonly SyntaxNode[]): void {
    const parts: SyntaxNode[][] = [[]];
    for (const child of children) {
      if (child.name === 'AssignOp') parts.push([]);
      else if (child.name !== 'TypeDef' && child.name !== ',') parts.at(-1)!.push(child);
    }
    if (parts.length === 1) return this.#bindAll(parts[0]![0]!, 'other');
    const values = parts.pop()!;
    const starred = [...parts.flat(), ...values].some((node) => node.name === '*');
    for (const targets of parts) {
      const [target] = targets;
      if (targets.length === 1 && target?.name === 'VariableName') {
        this.#bind(this.textOf(target), values.length === 1 ? this.#valueOf(values[0]) : 'own');
      } else if (targets.length === values.length && !starred) {
        targets.forEach((each, place) => {
          this.#bindAll(each, each.name === 'VariableName' ? this.#valueOf(values[place]) : 'other');
        });
      } else {
        for (const each of targets) this.#bindAll(each, 'other');
      }
    }
  }

  #valueOf(value: SyntaxNode | undefined): Binding {
    if (value === undefined) return 'other';
    if (value.name === 'LambdaExpression') return 'function';
    if (this.#isNew(value)) return 'new';
    return this.#isMade(value) ? 'own' : 'other';
  }

  /**
   * Returns true if the expression always creates an object: by a constructor, an operator or one of the
   * {@link NEW} methods.
   */
  #isNew(node: SyntaxNode): boolean {
    const children = childrenOf(node);
    if (node.name === 'ParenthesizedExpression') return this.#isNew(children[1]!);
    if (node.name === 'BinaryExpression')
      return !children.some((child) => child.name === 'and' || child.name === 'or');
    if (node.name !== 'CallExpression') return false;
    const callee = children[0]!;
    if (this.pathOf(callee) === 'pd.Series') return true;
    const attribute = attributeOf(callee);
    if (attribute === undefined || this.pathOf(callee) !== undefined) return false;
    return NEW.has(this.textOf(attribute.name)) || this.#isWindow(attribute.object);
  }

  /** Returns true for a call such as `x.rolling(…)`. */
  #isWindow(node: SyntaxNode): boolean {
    const window = node.name === 'CallExpression' ? attributeOf(childrenOf(node)[0]!) : undefined;
    return window !== undefined && WINDOWS.has(this.textOf(window.name));
  }

  /**
   * Returns true if the value of an expression belongs to this call, for example a literal, a sum or the
   * result of a method.
   */
  #isMade(node: SyntaxNode): boolean {
    if (MADE.has(node.name)) return true;
    const children = childrenOf(node);
    if (node.name === 'ParenthesizedExpression') return this.#isMade(children[1]!);
    // This parser reads `not a or b` as `not (a or b)`. In Python the result may be `b`, which need not be a
    // new object.
    if (node.name === 'UnaryExpression') return children[0]!.name !== 'not';
    if (node.name === 'ConditionalExpression')
      return this.#isMade(children[0]!) && this.#isMade(children[4]!);
    // `and` and `or` return one of their operands. All other operators return a new object.
    if (node.name === 'BinaryExpression') {
      const sides = [children[0]!, children.at(-1)!];
      const either = children.some((child) => child.name === 'and' || child.name === 'or');
      return !either || sides.every((side) => this.#isMade(side));
    }
    if (node.name === 'CallExpression') {
      const callee = children[0]!;
      if (callee.name === 'VariableName') {
        const name = this.textOf(callee);
        const bound = this.of(name);
        if (typeof bound === 'object') return !HANDS_BACK.has(bound.path.split('.').at(-1)!);
        return MAKERS.has(name) && bound === undefined;
      }
      const attribute = attributeOf(callee);
      if (attribute === undefined) return false;
      const method = this.textOf(attribute.name);
      return !HANDS_BACK.has(method) && !(TAKES_FUNCTIONS.has(method) && this.#givesFunction(children[1]!));
    }
    // Selection from a frame of the call: df[…], df.loc[…].
    if (node.name === 'MemberExpression' && children[1]?.name === '[') {
      const inner = attributeOf(children[0]!);
      const base =
        inner !== undefined && ['loc', 'iloc'].includes(this.textOf(inner.name))
          ? inner.object
          : children[0]!;
      return base.name === 'VariableName' && /^df(_|$)/.test(this.textOf(base)) && this.isOwnName(base);
    }
    return false;
  }

  /**
   * Returns true if an argument is a function, such as in `agg(lambda s: SHARED)`. pandas may return the
   * object that this function returned. Arguments that are texts do not count, because they are names of
   * reductions. Keywords other than `func` do not count, because they are names of columns.
   */
  #givesFunction(list: SyntaxNode): boolean {
    const children = childrenOf(list);
    return children.some(
      (child, place) =>
        !/^([(),]|String|AssignOp)$/.test(child.name) &&
        children[place + 1]?.name !== 'AssignOp' &&
        (children[place - 1]?.name !== 'AssignOp' || this.textOf(children[place - 2]!) === 'func'),
    );
  }

  #import(children: readonly SyntaxNode[]): void {
    const from = children[0]?.name === 'from';
    const cut = children.findIndex((child) => child.name === 'import');
    const dotted = (nodes: readonly SyntaxNode[]): string => nodes.map((node) => this.textOf(node)).join('');
    const module = from ? importedPath(dotted(children.slice(1, cut))) : '';
    let path: SyntaxNode[] = [];
    let alias: string | undefined;
    const finish = (): void => {
      const name = dotted(path);
      if (name === '') return;
      if (from) this.#bind(alias ?? name, { path: `${module}.${name}` });
      else if (alias !== undefined) this.#bind(alias, { path: importedPath(name) });
      else this.#bind(name.split('.')[0]!, { path: importedPath(name.split('.')[0]!) });
      path = [];
      alias = undefined;
    };
    for (let place = cut + 1; place < children.length; place++) {
      const child = children[place]!;
      if (child.name === ',') finish();
      else if (child.name === 'as') alias = this.textOf(children[++place]!);
      else if (child.name === 'VariableName' || child.name === '.' || child.name === '*') path.push(child);
    }
    finish();
  }
}

/** Returns the path of a module with the short name that is used here: `numpy.linalg` becomes `np.linalg`. */
export function importedPath(dotted: string): string {
  const [first = '', ...rest] = dotted.split('.');
  const known = Object.hasOwn(MODULE_NAMES, first) ? MODULE_NAMES[first]! : first;
  return [known, ...rest].join('.');
}

/** Returns true if the allowed members of a module are listed in `MODULES` or `INDICATORS`. */
export function isModule(path: string): boolean {
  return Object.hasOwn(MODULES, path) || path === 'ta';
}
