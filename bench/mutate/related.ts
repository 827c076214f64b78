/** Tests that can notice a change of a source file, found by following imports. */
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Names that an import takes from a file. `undefined` stands for all names. */
interface Import {
  readonly file: string;
  readonly names: readonly string[] | undefined;
}

/** Distance of a test from a source file: number of imports on the shortest path. */
export type Distances = ReadonlyMap<string, number>;

/**
 * Graph of the imports between source files. Imports of types are ignored. An `index.ts` that only re-exports
 * names is replaced by the files that define these names.
 */
export class ImportGraph {
  readonly #importers = new Map<string, Set<string>>();
  readonly #barrels = new Map<string, readonly ts.ExportDeclaration[]>();

  constructor(texts: ReadonlyMap<string, string>) {
    const imports = new Map<string, Import[]>();
    for (const [file, text] of texts) {
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
      const passedOn = file.endsWith('/index.ts') ? source.statements.filter(ts.isExportDeclaration) : [];
      if (passedOn.length > 0 && passedOn.length === source.statements.length)
        this.#barrels.set(file, passedOn);
      else imports.set(file, importsOf(source, file));
    }
    for (const [file, found] of imports)
      for (const one of found)
        for (const target of this.#definers(one)) {
          const importers = this.#importers.get(target) ?? new Set<string>();
          this.#importers.set(target, importers.add(file));
        }
  }

  /** Returns the files that import `file`, directly or through other files, nearest first. */
  importersOf(file: string): Distances {
    const distances = new Map<string, number>();
    let edge = [file];
    for (let distance = 1; edge.length > 0; distance++) {
      const next = new Set(edge.flatMap((one) => [...(this.#importers.get(one) ?? [])]));
      edge = [...next].filter((one) => one !== file && !distances.has(one));
      for (const one of edge) distances.set(one, distance);
    }
    return distances;
  }

  /** Returns the files that define the imported names, through any number of `index.ts`. */
  #definers({ file, names }: Import): string[] {
    const passedOn = this.#barrels.get(file);
    if (passedOn === undefined) return [file];
    return passedOn.flatMap((statement) => {
      const from = targetOf(statement.moduleSpecifier, file);
      if (from === undefined || statement.isTypeOnly) return [];
      const { exportClause } = statement;
      if (exportClause === undefined || !ts.isNamedExports(exportClause))
        return this.#definers({ file: from, names });
      const wanted = exportClause.elements.filter(
        (element) => !element.isTypeOnly && (names === undefined || names.includes(element.name.text)),
      );
      if (wanted.length === 0) return [];
      const inner = wanted.map(({ name, propertyName }) => (propertyName ?? name).text);
      return this.#definers({ file: from, names: inner });
    });
  }
}

function importsOf(source: ts.SourceFile, file: string): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const target = targetOf(node.moduleSpecifier, file);
      const names = valuesOf(node.importClause);
      if (target !== undefined && names !== 'types') found.push({ file: target, names });
    } else if (ts.isExportDeclaration(node) && !node.isTypeOnly) {
      const target = targetOf(node.moduleSpecifier, file);
      if (target !== undefined) found.push({ file: target, names: undefined });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const target = targetOf(node.arguments[0], file);
      if (target !== undefined) found.push({ file: target, names: undefined });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the names of values that an import takes, or `types` if it takes only types. */
function valuesOf(clause: ts.ImportClause | undefined): readonly string[] | undefined | 'types' {
  if (clause === undefined) return undefined;
  if (clause.isTypeOnly) return 'types';
  const { namedBindings } = clause;
  if (namedBindings === undefined || !ts.isNamedImports(namedBindings)) return undefined;
  const names = namedBindings.elements
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ name, propertyName }) => (propertyName ?? name).text);
  return names.length === 0 ? 'types' : names;
}

/** Returns the path of the file that a relative import names, or `undefined` for a package. */
function targetOf(specifier: ts.Node | undefined, file: string): string | undefined {
  if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return undefined;
  const { text } = specifier;
  if (text === 'sandtable') return 'src/index.ts';
  return text.startsWith('.') ? join(dirname(file), text) : undefined;
}
