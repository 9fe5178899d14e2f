/** Reads the titles of the tests in a source file from its syntax tree. */
import { parseSync } from 'vite';

/** Separator between titles of groups and tests: “group › test”. */
const TITLE_SEPARATOR = ' › ';

/** A test. */
export interface TestTitle {
  /** As written in the source; a template includes its `${…}`. */
  title: string;
  /** With the titles of the surrounding groups, outermost first. */
  path: string;
}

type SyntaxNode = Record<string, unknown> & { type: string; start: number; end: number };

const TESTS = new Set(['it', 'test']);
const GROUPS = new Set(['describe', 'test.describe']);
/** Properties that may follow the name of a test or a group. */
const MODIFIERS = new Set([
  'each',
  'for',
  'skip',
  'only',
  'concurrent',
  'sequential',
  'serial',
  'parallel',
  'skipIf',
  'runIf',
]);

/** Finds all tests, in the order of the source. Throws a `SyntaxError` if the source is not TypeScript. */
export function testTitles(file: string, source: string): TestTitle[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const found: TestTitle[] = [];
  const visit = (value: unknown, groups: readonly string[]): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, groups);
    if (!isNode(value)) return;
    const call = value.type === 'CallExpression' ? titledCall(value, source) : undefined;
    const path = call && [...groups, call.title].join(TITLE_SEPARATOR);
    if (call?.kind === 'test' && path !== undefined) found.push({ title: call.title, path });
    const inner = call?.kind === 'group' ? [...groups, call.title] : groups;
    for (const child of Object.values(value)) visit(child, inner);
  };
  visit(program, []);
  return found;
}

function titledCall(node: SyntaxNode, source: string): { kind: 'test' | 'group'; title: string } | undefined {
  const [first] = node.arguments as unknown[];
  const title = isNode(first) ? titleOf(first, source) : undefined;
  const name = nameOf(node.callee);
  if (title === undefined || name === undefined) return undefined;
  if (TESTS.has(name)) return { kind: 'test', title };
  return GROUPS.has(name) ? { kind: 'group', title } : undefined;
}

function titleOf(node: SyntaxNode, source: string): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' ? source.slice(node.start + 1, node.end - 1) : undefined;
}

/** Returns the name of a callee without modifiers, e.g. `it` for `it.each(rows)`. */
function nameOf(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'Identifier') return String(callee.name);
  if (callee.type === 'CallExpression') return nameOf(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return nameOf(callee.tag);
  if (callee.type !== 'MemberExpression' || !isNode(callee.property)) return undefined;
  const object = nameOf(callee.object);
  const property = String(callee.property.name);
  return MODIFIERS.has(property) ? object : `${object}.${property}`;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
