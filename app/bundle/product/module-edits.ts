/** Edits of JavaScript modules by their syntax trees (ESTree). Lines keep their numbers, so that source maps remain valid. */

/** The parts of a syntax tree that are read here. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** An identifier, or a text in its place. */
export interface Name extends SyntaxNode {
  name?: string;
  value?: string;
}

/** A name in the braces of an import or an export. */
export interface Specifier extends SyntaxNode {
  local: Name;
  exported?: Name;
}

/** Text in place of a range of the module. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Returns the syntax tree of a module. */
export type Parse = (code: string) => unknown;

/** Returns the statements of a module. */
export function statementsOf(code: string, parse: Parse): readonly SyntaxNode[] {
  return (parse(code) as { body: readonly SyntaxNode[] }).body;
}

/** Whether a value of a tree is a node. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

/** Returns the text of a name; empty without a name. */
export function textOf(name: Name | undefined): string {
  return name?.name ?? name?.value ?? '';
}

/** Returns the specifiers of `export { … }`; none for other statements. */
export function exportSpecifiers({ type, declaration, specifiers }: SyntaxNode): readonly Specifier[] {
  return type === 'ExportNamedDeclaration' && !declaration ? (specifiers as Specifier[]) : [];
}

/** Returns the edit that leaves these specifiers of `export { … }`. */
export function keepExports(node: SyntaxNode, kept: readonly Specifier[], code: string): Edit {
  const list = kept.map((each) => sourceOf(each, code)).join(', ');
  return replaced(node, kept.length === 0 ? '' : `export { ${list} }${fromClause(node, code)}`);
}

/** Returns the edit that leaves these specifiers of an import. */
export function keepImports(node: SyntaxNode, kept: readonly Specifier[], code: string): Edit {
  const named = kept.filter(({ type }) => type === 'ImportSpecifier').map((each) => sourceOf(each, code));
  const others = kept.filter(({ type }) => type !== 'ImportSpecifier').map((each) => sourceOf(each, code));
  const list = [...others, ...(named.length > 0 ? [`{ ${named.join(', ')} }`] : [])].join(', ');
  return replaced(node, `import ${list}${fromClause(node, code)}`);
}

/** Returns the edit that replaces a node by a text. */
export function replaced({ start, end }: SyntaxNode, text: string): Edit {
  return { start, end, text };
}

/** Returns the edited module. A text may have at most as many lines as the range that it replaces. */
export function applyEdits(code: string, edits: readonly Edit[]): string {
  let result = code;
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
    const removedLines = code.slice(start, end).split('\n').length - text.split('\n').length;
    result = result.slice(0, start) + text + '\n'.repeat(removedLines) + result.slice(end);
  }
  return result;
}

function sourceOf({ start, end }: SyntaxNode, code: string): string {
  return code.slice(start, end);
}

/** Returns ` from '…'` and the rest of the statement; a semicolon without a source. */
function fromClause({ source, end }: SyntaxNode, code: string): string {
  return isNode(source) ? ` from ${code.slice(source.start, end)}` : ';';
}
