/** Removes exports from a JavaScript module, with the imports and declarations that only they use. */
import {
  applyEdits,
  type Edit,
  exportSpecifiers,
  isNode,
  keepExports,
  keepImports,
  type Name,
  type Parse,
  replaced,
  type Specifier,
  type SyntaxNode,
  statementsOf,
  textOf,
} from './module-edits.ts';

/** A statement that remains. */
interface Statement {
  node: SyntaxNode;
  /** Names that it declares for others; undefined if it must stay even if nothing uses them, e.g. a call. */
  declares: readonly string[] | undefined;
  /** Names that occur in it. A variable of an inner scope with the same name counts, so that too much stays, not too little. */
  uses: ReadonlySet<string>;
}

/** Returns the module without the exports of these names. */
export function removeExports(
  code: string,
  { names, parse }: { names: ReadonlySet<string>; parse: Parse },
): string {
  const edits: Edit[] = [];
  const statements: Statement[] = [];
  for (const node of statementsOf(code, parse)) {
    const all = exportSpecifiers(node);
    const kept = all.filter(({ exported }) => !names.has(textOf(exported)));
    if (isExportOf(node, names)) edits.push(replaced(node, ''));
    else if (kept.length < all.length) {
      edits.push(keepExports(node, kept, code));
      statements.push({ node, declares: undefined, uses: new Set(kept.map(({ local }) => textOf(local))) });
    } else statements.push({ node, declares: declaredNames(node), uses: usedNames(node) });
  }
  if (edits.length === 0) return code;
  const remaining = withoutUnused(statements);
  const removed = statements.filter((each) => !remaining.includes(each));
  edits.push(...removed.map(({ node }) => replaced(node, '')), ...importEdits(remaining, code));
  return applyEdits(code, edits);
}

/** Leaves out declarations that no other statement uses, and then those that only these used. */
function withoutUnused(statements: readonly Statement[]): readonly Statement[] {
  const remaining = statements.filter(
    (each) =>
      each.declares === undefined ||
      each.declares.some((name) => statements.some((other) => other !== each && other.uses.has(name))),
  );
  return remaining.length === statements.length ? statements : withoutUnused(remaining);
}

/** Returns edits of imports that are used in part. */
function importEdits(remaining: readonly Statement[], code: string): Edit[] {
  const used = new Set(remaining.flatMap(({ uses }) => [...uses]));
  return remaining.flatMap(({ node }) => {
    if (node.type !== 'ImportDeclaration') return [];
    const all = node.specifiers as readonly Specifier[];
    const kept = all.filter(({ local }) => used.has(textOf(local)));
    return kept.length === all.length ? [] : keepImports(node, kept, code);
  });
}

function isExportOf({ type, declaration }: SyntaxNode, names: ReadonlySet<string>): boolean {
  if (type !== 'ExportNamedDeclaration' || !isNode(declaration)) return false;
  const declared = namesOf(declaration);
  return declared.length > 0 && declared.every((name) => names.has(name));
}

function declaredNames(node: SyntaxNode): readonly string[] | undefined {
  const names =
    node.type === 'ImportDeclaration'
      ? (node.specifiers as readonly Specifier[]).map(({ local }) => textOf(local))
      : namesOf(node);
  return names.length === 0 ? undefined : names;
}

/** Returns the names of a declaration; none if a part of it is destructured. */
function namesOf({ type, id, declarations }: SyntaxNode): string[] {
  if (type === 'FunctionDeclaration' || type === 'ClassDeclaration') return [textOf(id as Name)];
  if (type !== 'VariableDeclaration') return [];
  const declared = (declarations as readonly { id: Name }[]).map((each) => each.id);
  return declared.every((each) => each.type === 'Identifier') ? declared.map(textOf) : [];
}

/** Returns the identifiers in a statement, without the names of properties. Imports use none. */
function usedNames(node: SyntaxNode, found = new Set<string>()): Set<string> {
  if (node.type === 'ImportDeclaration') return found;
  if (node.type === 'Identifier') return found.add(textOf(node));
  for (const [key, value] of Object.entries(node)) {
    const isPropertyName = (key === 'property' || key === 'key') && node.computed === false;
    if (isPropertyName) continue;
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) usedNames(child, found);
  }
  return found;
}
