/**
 * Wraps calls about the request in an expression of a policy as subqueries: PostgreSQL evaluates `(select auth.uid())` once for a
 * statement, and `auth.uid()` for each row.
 */

/** Quoted texts come first, because they may contain all others. */
const TOKEN =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]|\b(?:select|from)\b|\bauth\.(?:uid|jwt|role|email)\(|\bcurrent_setting\(/gi;

/** A pair of parentheses. */
interface Group {
  parent: Group | undefined;
  /** Offset of the name of the called function; undefined for other parentheses. */
  callStart: number | undefined;
  end: number;
  isSelect: boolean;
  hasFrom: boolean;
}

/** Returns the expression with subqueries. */
export function wrapCalls(expression: string): string {
  const calls = groupsOf(expression)
    .filter((group) => group.callStart !== undefined && isForEachRow(group))
    .filter((group) => !isInsideCall(group))
    .sort((a, b) => (b.callStart ?? 0) - (a.callStart ?? 0));
  let text = expression;
  for (const { callStart = 0, end } of calls)
    text = `${text.slice(0, callStart)}(select ${text.slice(callStart, end)})${text.slice(end)}`;
  return text;
}

function groupsOf(expression: string): Group[] {
  const groups: Group[] = [];
  let current: Group = newGroup(undefined, undefined);
  for (const { 0: token, index } of expression.matchAll(TOKEN)) {
    const word = token.toLowerCase();
    if (word === ')') {
      current.end = index + 1;
      current = current.parent ?? current;
    } else if (word.endsWith('(')) {
      current = newGroup(current, word === '(' ? undefined : index);
      groups.push(current);
    } else if (word === 'select') current.isSelect = true;
    else if (word === 'from') current.hasFrom = true;
  }
  return groups;
}

function newGroup(parent: Group | undefined, callStart: number | undefined): Group {
  return { parent, callStart, end: 0, isSelect: false, hasFrom: false };
}

/** The nearest query around a call decides. */
function isForEachRow(call: Group): boolean {
  for (let group = call.parent; group; group = group.parent) if (group.isSelect) return group.hasFrom;
  return true;
}

function isInsideCall(call: Group): boolean {
  for (let group = call.parent; group; group = group.parent) if (group.callStart !== undefined) return true;
  return false;
}
