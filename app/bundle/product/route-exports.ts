/**
 * Reads the exports of a product's route. The guard must be readable in the file, because a build that does not understand it
 * must not open the page.
 */
import { productProblem } from './product-problem.ts';

const GUARDS = ['public', 'signedIn', 'admin'] as const;
type Guard = (typeof GUARDS)[number];
const ALLOWED = `Allowed: export const guard = ${GUARDS.map((guard) => `'${guard}'`).join(' or ')}`;

/** Exports that are relevant here. */
export interface RouteExports {
  names: ReadonlySet<string>;
  guard: Guard | undefined;
}

/** The parts of a syntax tree that are read here. */
interface Statement {
  type: string;
  start: number;
  exportKind?: 'type' | 'value';
  /** Of `export * from`. */
  exported?: Name | null;
  declaration?: Declaration | null;
  specifiers?: readonly { exported: Name; exportKind?: 'type' | 'value' }[];
}

interface Declaration {
  type: string;
  kind?: string;
  id?: Name | null;
  declarations?: readonly { id: Binding; init?: Expression | null }[];
}

/** An expression, which may be in `as const` or `satisfies`. */
interface Expression {
  value?: unknown;
  expression?: Expression;
}

/** An identifier, or a text in its place. */
interface Name {
  name?: string;
  value?: string;
}

/** A variable, or a pattern that takes several from an object or a list. */
interface Binding extends Name {
  type: string;
  properties?: readonly { value?: Binding; argument?: Binding }[];
  elements?: readonly (Binding | null)[];
  left?: Binding;
  argument?: Binding;
}

/** The text of a module, and its name in messages. */
interface Source {
  name: string;
  code: string;
}

/**
 * Returns the exports of a module.
 * @throws for `export *`, for a guard that is no constant of its module, and for exports with a similar name
 */
export function readRouteExports(program: unknown, source: Source): RouteExports {
  const names = new Set<string>();
  let guard: Guard | undefined;
  for (const statement of (program as { body: readonly Statement[] }).body) {
    const problem = (message: string) =>
      productProblem(`${source.name}:${lineOf(source.code, statement.start)}: ${message}`);
    if (statement.type === 'ExportAllDeclaration' && !statement.exported && statement.exportKind !== 'type') {
      throw problem('export * is not allowed, because it hides the guard. Allowed: exports with names');
    }
    for (const name of exportedNames(statement)) {
      if (isMisspelt(name)) throw problem(`the export ${name} guards nothing. ${ALLOWED}`);
      if (name === 'guard') guard = guardOf(statement);
      if (name === 'guard' && guard === undefined) throw problem(`this guard cannot be read. ${ALLOWED}`);
      names.add(name);
    }
  }
  return { names, guard };
}

function exportedNames(statement: Statement): string[] {
  const { type, exportKind, declaration, specifiers = [], exported } = statement;
  if (type === 'ExportDefaultDeclaration') return ['default'];
  if (exportKind === 'type') return [];
  if (type === 'ExportAllDeclaration') return exported ? [textOf(exported)] : [];
  if (type !== 'ExportNamedDeclaration') return [];
  return [
    ...specifiers.filter((each) => each.exportKind !== 'type').map((each) => textOf(each.exported)),
    ...(declaration?.id ? [textOf(declaration.id)] : []),
    ...(declaration?.declarations ?? []).flatMap(({ id }) => boundNames(id)),
  ];
}

function boundNames(binding: Binding | null | undefined): string[] {
  if (!binding) return [];
  const { properties = [], elements = [], left, argument } = binding;
  return [
    ...(binding.type === 'Identifier' ? [textOf(binding)] : []),
    ...properties.flatMap((property) => boundNames(property.value ?? property.argument)),
    ...[...elements, left, argument].flatMap(boundNames),
  ];
}

/** Returns the value of `export const guard = …`; undefined for every other form and value. */
function guardOf({ declaration }: Statement): Guard | undefined {
  if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') return undefined;
  const found = declaration.declarations?.find(({ id }) => id.type === 'Identifier' && id.name === 'guard');
  const value = found?.init?.expression?.value ?? found?.init?.value;
  return GUARDS.find((guard) => guard === value);
}

function textOf({ name, value }: Name): string {
  return name ?? value ?? '';
}

/** Whether a name contains `guard`, or differs by one letter or by two in the wrong order. */
function isMisspelt(name: string): boolean {
  const lower = name.toLowerCase();
  if (name === 'guard') return false;
  return lower.includes('guard') || typos('guard').has(lower);
}

function typos(word: string): Set<string> {
  const places = Array.from(word, (_letter, index) => [word.slice(0, index), word.slice(index)] as const);
  const without = places.map(([before, after]) => before + after.slice(1));
  const swapped = places.map(
    ([before, after]) => before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2),
  );
  return new Set([...without, ...swapped]);
}

function lineOf(code: string, position: number): number {
  return code.slice(0, position).split('\n').length;
}
