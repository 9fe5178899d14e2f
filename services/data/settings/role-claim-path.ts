/**
 * Validates the path to the role in the claims of a token: a JSONPath (RFC 9535) of names, indexes and searches in
 * lists, e.g. `$.app_metadata.roles[0]`. PostgREST's older form without `$` is supported, too. An invalid path aborts
 * the start. `auth/role-claim.ts` evaluates the path.
 *
 *   path    = [ "$" ] 1*step
 *   step    = "." name | "." quoted | "[" quoted "]" | "[" digits "]" | "[?(" filter ")]" | "[?" filter "]"
 *   filter  = "@ " test " " quoted | "search(@, " regular expression in quotes ")"
 *   test    = "==" | "!=" | "^==" (begins with) | "==^" (ends with) | "*==" (contains)
 */
const QUOTED = `(?:"[^"]*"|'[^']*')`;
const STEPS = [
  /\.[\p{L}\p{N}_$@-]+/u,
  /\."[^"]*"/u,
  /\[(?:"[^"]*"|'[^']*')\]/u,
  /\[\d{1,9}\]/u,
  filter(`@\\s*(?:==\\^|\\^==|\\*==|==|!=)\\s*${QUOTED}`),
  filter(`search\\(\\s*@\\s*,\\s*${QUOTED}\\s*\\)`),
];

/** Builds the expression for a filter with or without parentheses. */
function filter(inside: string): RegExp {
  return new RegExp(`\\[\\?(?:\\(\\s*${inside}\\s*\\)|\\s*${inside}\\s*)\\]`, 'u');
}

const PATH = new RegExp(`^\\$?(?:${STEPS.map(({ source }) => source).join('|')})+$`, 'u');

const SEARCHED = /search\(\s*@\s*,\s*(?:"([^"]*)"|'([^']*)')/g;

export function isRoleClaimPath(text: string): boolean {
  return (
    PATH.test(text) && [...text.matchAll(SEARCHED)].every(([, a, b]) => isRegularExpression(a ?? b ?? ''))
  );
}

function isRegularExpression(text: string): boolean {
  try {
    new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}
