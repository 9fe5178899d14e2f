/**
 * Reads one thing out of PostgreSQL's text form of parse trees (`pg_node_tree`): from which columns the columns of a
 * view come. Only as much of the tree is read as leads there.
 *
 *     list  = "(" *value ")"
 *     node  = "{" TYPE *( ":" name value ) "}"
 *     value = list / node / token
 *
 * Tokens end at white space, parentheses and braces; a backslash makes an ordinary letter of the next character
 * (`src/backend/nodes/read.c`, pg_strtok). Some fields are followed by several tokens, but not those that matter here.
 */

/** A column of a view that is a column of a relation, unchanged. Relations are named by oid, columns by number. */
export interface ColumnOrigin {
  column: number;
  table: number;
  tableColumn: number;
}

/**
 * The origins of a view's columns.
 * @param tree `ev_action` of the view's rule: a list with one query in it
 * @throws Error where the tree is not what it should be
 */
export function parseColumnOrigins(tree: string): ColumnOrigin[] {
  const reader = new TokenReader(tree);
  reader.expect('(');
  reader.expect('{');
  reader.expect('QUERY');
  if (!seekField(reader, ':targetList')) throw new Error('the query of a view has no target list');
  return readTargetList(reader);
}

/** Goes to the value of a field of the node that the reader is in; false where the node ends before. */
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
  // A view without columns.
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

/** Fields of a node whose brace was read, those with a token as their value. */
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

/** Sticky, so that a token is found where the last one ended and nowhere else. */
const TOKEN = /[ \n\t]*([(){}]|(?:\\.|[^\\ \n\t(){}])+)/sy;

/** Tokens one after the other. Escaped ones stay escaped, so that a name is never taken for a brace. */
class TokenReader {
  readonly #text: string;
  readonly #token = new RegExp(TOKEN);

  constructor(text: string) {
    this.#text = text;
  }

  next(): string {
    const token = this.#token.exec(this.#text)?.[1];
    if (token === undefined) throw new Error('a parse tree ends too early');
    return token;
  }

  expect(wanted: string): void {
    const token = this.next();
    if (token !== wanted) throw new Error(`a parse tree has ${token} where ${wanted} was expected`);
  }
}
