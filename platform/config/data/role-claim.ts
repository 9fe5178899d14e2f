/**
 * How a path to the role in the claims of a token is written: a JSONPath (RFC 9535) of names and indexes, with a search in
 * a list perhaps, e.g. `$.app_metadata.roles[0]`. PostgREST's older form without `$` is taken as well. The path is followed
 * by the data API; here it is only looked at, so that a wrong one stops the start.
 *
 *   path    = [ "$" ] 1*step
 *   step    = "." name | "." quoted | "[" quoted "]" | "[" digits "]" | "[?(@ " test " " quoted ")]"
 *   test    = "==" | "!=" | "^==" (begins with) | "==^" (ends with) | "*==" (contains)
 */
const STEPS = [
  /\.[\p{L}\p{N}_$@-]+/u,
  /\."[^"]*"/u,
  /\[(?:"[^"]*"|'[^']*')\]/u,
  /\[\d{1,9}\]/u,
  /\[\?\(\s*@\s*(?:==\^|\^==|\*==|==|!=)\s*(?:"[^"]*"|'[^']*')\s*\)\]/u,
];
const PATH = new RegExp(`^\\$?(?:${STEPS.map(({ source }) => source).join('|')})+$`, 'u');

/** Whether a text is such a path. */
export function isRoleClaimPath(text: string): boolean {
  return PATH.test(text);
}
