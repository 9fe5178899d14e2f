/**
 * Finds calls in the expression of a policy that PostgreSQL evaluates for each row. A scalar subquery without FROM, such as
 * `(select auth.uid())`, is evaluated once for a statement.
 */

/** Texts of an expression that matter; all others are skipped. Quoted texts come first, because they may contain all others. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]|\b(?:select|from)\b|\bauth\.(?:uid|jwt|role|email)\(|\bcurrent_setting\(/gi;

/** A pair of parentheses around the current place. */
interface Group {
  isSelect: boolean;
  hasFrom: boolean;
  /** Whether it contains a call. */
  hasCall: boolean;
}

/** @param expression the text of `pg_get_expr` with an empty search path, so that schemas are part of the names */
export function hasCallForEachRow(expression: string): boolean {
  const groups: Group[] = [newGroup()];
  let found = false;
  const close = () => {
    const group = groups.pop();
    if (!group?.hasCall || (group.isSelect && !group.hasFrom)) return;
    const outer = groups.at(-1);
    // A call in parentheses that are no subquery belongs to the text around them.
    if (outer && !group.isSelect) outer.hasCall = true;
    else found = true;
  };
  for (const [token] of expression.matchAll(TOKEN)) {
    const group = groups.at(-1);
    if (group === undefined) break;
    const word = token.toLowerCase();
    if (word === ')') close();
    else if (word === '(') groups.push(newGroup());
    else if (word === 'select') group.isSelect = true;
    else if (word === 'from') group.hasFrom = true;
    else if (word.endsWith('(')) {
      group.hasCall = true;
      groups.push(newGroup());
    }
  }
  while (groups.length > 0) close();
  return found;
}

function newGroup(): Group {
  return { isSelect: false, hasFrom: false, hasCall: false };
}
