/**
 * Extracts the origins of a view's columns from PostgreSQL's text format of parse trees (`pg_node_tree`). Parses only
 * the parts of the tree that lead to them.
 *
 *     list  = "(" *value ")"
 *     node  = "{" TYPE *( ":" name value ) "}"
 *     value = list / node / token
 *
 * Tokens end at white space, parentheses and braces; a backslash escapes the next character (`src/backend/nodes/read.c`,
 * pg_strtok). Some fields have several tokens as their value, but none of the fields that are read here.
 */

/** A column of a view that is an unchanged column of a relation. Relations are identified by oid, columns by number. */
export interface ColumnOrigin {
  column: number;
  table: number;
  tableColumn: number;
}

/**
 * Returns the origins of a view's columns.
 * @param tree `ev_action` of the view's rule: a list with one query
 * @throws Error if the tree has an unexpected structure
 */
export function parseColumnOrigins(tree: string): ColumnOrigin[] {
  const reader = new TokenReader(tree);
  reader.expect('(');
  reader.expect('{');
  reader.expect('QUERY');
  if (!seekField(reader, ':targetList')) throw new Error('the query of a view has no target list');
  return readTargetList(reader);
}

/** Advances the reader to the value of a field of the current node. Returns false if the node has no such field. */
function seekField(reader: TokenReader, name: string): boolean {
  for (;;) {
    const label = reader.next();
    if (label === '}') return false;
    if (label === name) return true;
    skipValue(reader, reader.next());
  }
}

function readTargetList(reader: TokenReader): ColumnOrigin[] {
  const origins: ColumnOrigin[] = [];
  // A view may have no columns.
  if (reader.next() !== '(') return origins;
  while (reader.next() === '{') {
    const fields = readFields(reader);
    const table = Number(fields.get(':resorigtbl'));
    if (fields.get(':resjunk') === 'true' || !(table > 0)) continue;
    origins.push({
      column: Number(fields.get(':resno')),
      table,
      tableColumn: Number(fields.get(':resorigcol')),
    });
  }
  return origins;
}

/** Reads the fields of a node after its opening brace. Only fields with a single token as their value are useful. */
function readFields(reader: TokenReader): Map<string, string> {
  const fields = new Map<string, string>();
  reader.next();
  for (let label = reader.next(); label !== '}'; label = reader.next()) {
    const value = reader.next();
    skipValue(reader, value);
    fields.set(label, value);
  }
  return fields;
}

/** Skips the rest of the value that begins with `first`. */
function skipValue(reader: TokenReader, first: string): void {
  let depth = isOpening(first) ? 1 : 0;
  while (depth > 0) {
    const token = reader.next();
    if (isOpening(token)) depth += 1;
    else if (token === ')' || token === '}') depth -= 1;
  }
}

function isOpening(token: string): boolean {
  return token === '(' || token === '{';
}

/** The expression is sticky, so that each token starts where the previous one ended. */
const TOKEN = /[ \n\t]*([(){}]|(?:\\.|[^\\ \n\t(){}])+)/sy;

/** Reads one token after the other. Tokens stay escaped, so that a name is never mistaken for a brace. */
class TokenReader {
  readonly #text: string;
  readonly #token = new RegExp(TOKEN);

  constructor(text: string) {
    this.#text = text;
  }

  next(): string {
    const token = this.#token.exec(this.#text)?.[1];
    if (token === undefined) throw new Error('a parse tree ends unexpectedly');
    return token;
  }

  expect(expected: string): void {
    const token = this.next();
    if (token !== expected) throw new Error(`a parse tree has ${token} where ${expected} was expected`);
  }
}
