// Step of .config/package.js, run in the staging folder. Removes from the declarations in dist/ all that no entry of
// package.json reaches: whole files, and in the other files each declaration, import and export.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = new Set(Object.values(exports).flatMap(({ types }) => (types ? [normalize(types)] : [])));
if (entries.size === 0) throw new Error('package.json exports no types');

/** Files that were reached, by name. */
const files = new Map();
/** Names that are wanted of files and not yet followed. */
const waiting = [];

function fileOf(name) {
  let file = files.get(name);
  if (file === undefined) {
    file = read(name);
    files.set(name, file);
  }
  return file;
}

function read(name) {
  const source = ts.createSourceFile(name, readFileSync(name, 'utf8'), ts.ScriptTarget.Latest, true);
  const target = (specifier) => {
    if (!specifier.startsWith('.')) return undefined;
    const types = join(dirname(name), specifier).replace(/\.[jt]s$/, '.d.ts');
    if (!existsSync(types)) throw new Error(`${name} imports ${specifier}, which has no types`);
    return types;
  };
  /** Statements by the name that they declare. Overloads share a name. */
  const declared = new Map();
  /** Imports and re-exports by name, as [file or undefined for a package, name there]. */
  const [imported, passedOn] = [new Map(), new Map()];
  /** Files of `export *`. */
  const all = [];
  for (const statement of source.statements) {
    const from = statement.moduleSpecifier && target(statement.moduleSpecifier.text);
    if (ts.isImportDeclaration(statement)) {
      const { name: whole, namedBindings } = statement.importClause ?? {};
      if (whole) imported.set(whole.text, [from, 'default']);
      if (namedBindings && ts.isNamespaceImport(namedBindings)) {
        if (from !== undefined) throw new Error(`${name} imports all of ${from} under a name`);
        imported.set(namedBindings.name.text, [undefined, '*']);
      } else
        for (const one of namedBindings?.elements ?? [])
          imported.set(one.name.text, [from, (one.propertyName ?? one.name).text]);
    } else if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause === undefined) all.push(from);
      else
        for (const one of statement.exportClause.elements)
          passedOn.set(one.name.text, [from, (one.propertyName ?? one.name).text, statement.moduleSpecifier]);
    } else for (const own of namesOf(statement)) declared.set(own, [...(declared.get(own) ?? []), statement]);
  }
  return { name, source, target, declared, imported, passedOn, all, wanted: new Set(), kept: new Set() };
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((one) => one.name.text);
  if (ts.isExportAssignment(statement)) return ['default'];
  if (statement.name === undefined) throw new Error(`a declaration without a name: ${statement.getText()}`);
  return [statement.name.text];
}

/** Follows a name that a file exports, declares or imports. */
function want(file, name) {
  if (file.wanted.has(name)) return;
  file.wanted.add(name);
  const [from, there, specifier] = file.passedOn.get(name) ?? [];
  if (from !== undefined) waiting.push([from, there]);
  // An export of what the file itself declares or imports may have the same name.
  else if (specifier === undefined) {
    file.wanted.add(there ?? name);
    wantOwn(file, there ?? name);
  }
}

function wantOwn(file, name) {
  const [from, there] = file.imported.get(name) ?? [];
  if (from !== undefined) waiting.push([from, there]);
  for (const statement of file.declared.get(name) ?? []) keep(file, statement);
  // Whichever of these files has the name.
  if (!file.declared.has(name) && !file.imported.has(name))
    for (const one of file.all) waiting.push([one, name]);
}

/** Keeps a statement and follows each name in it. */
function keep(file, statement) {
  if (file.kept.has(statement)) return;
  file.kept.add(statement);
  const visit = (node) => {
    if (ts.isIdentifier(node) && (file.declared.has(node.text) || file.imported.has(node.text)))
      want(file, node.text);
    if (ts.isImportTypeNode(node)) {
      const from = file.target(node.argument.literal.text);
      let first = node.qualifier;
      while (first && ts.isQualifiedName(first)) first = first.left;
      if (from !== undefined) waiting.push([from, first.text]);
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
}

for (const entry of entries) {
  const file = fileOf(entry);
  for (const name of [...file.passedOn.keys(), ...file.declared.keys()]) want(file, name);
  for (const from of file.all) throw new Error(`${entry} exports all of ${from}: name what it exports`);
}
for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) want(fileOf(next[0]), next[1]);

/** Returns the text of a statement, or of the part of it that is wanted. */
function textOf(file, statement) {
  const part = (bindings) => bindings.elements.filter(({ name }) => file.wanted.has(name.text));
  const list = (elements) => elements.map((one) => one.getText()).join(', ');
  if (ts.isImportDeclaration(statement)) {
    const { importClause } = statement;
    if (importClause === undefined) return statement.getText();
    const { name, namedBindings, isTypeOnly } = importClause;
    if (namedBindings === undefined || ts.isNamespaceImport(namedBindings))
      return file.wanted.has((namedBindings?.name ?? name).text) ? statement.getText() : '';
    const elements = part(namedBindings);
    const names = [
      ...(name && file.wanted.has(name.text) ? [name.text] : []),
      ...(elements.length > 0 ? [`{ ${list(elements)} }`] : []),
    ];
    const from = statement.moduleSpecifier.getText();
    return names.length === 0 ? '' : `import ${isTypeOnly ? 'type ' : ''}${names.join(', ')} from ${from};`;
  }
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, isTypeOnly, moduleSpecifier } = statement;
    if (exportClause === undefined)
      return files.has(file.target(moduleSpecifier.text)) ? statement.getText() : '';
    const elements = part(exportClause);
    if (elements.length === 0) return '';
    // With comments, such as the note on a former name.
    if (elements.length === exportClause.elements.length) return statement.getText();
    const from = moduleSpecifier === undefined ? '' : ` from ${moduleSpecifier.getText()}`;
    return `export ${isTypeOnly ? 'type ' : ''}{ ${list(elements)} }${from};`;
  }
  return file.kept.has(statement) ? statement.getFullText().trim() : '';
}

for (const name of readdirSync('dist', { recursive: true })) {
  const path = join('dist', String(name));
  if (!path.endsWith('.d.ts')) continue;
  const file = files.get(path);
  if (file === undefined) {
    rmSync(path);
    continue;
  }
  const texts = file.source.statements
    .map((statement) => textOf(file, statement))
    .filter((text) => text !== '');
  // Indentation is a fortieth of the download, and no editor shows it.
  writeFileSync(path, `${texts.join('\n').replace(/^ +/gm, '')}\nexport {};\n`);
}
