/** Connection URLs of PostgreSQL. */

/** The form of a connection URL, for messages. */
export const CONNECTION_URL_EXAMPLE = 'postgresql://postgres:<password>@<host>:5432/postgres';

/** Returns the URL of an option. Throws for a text that is no connection URL of PostgreSQL. */
export function databaseUrl(option: string, text: string): string {
  // A wrong URL may contain a password, so the message does not repeat it.
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new Error(`${option} requires a connection URL, e.g. ${CONNECTION_URL_EXAMPLE}`);
  return text;
}

/** Returns the URL without its password, which does not belong in a terminal's scrollback or a service's journal. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  for (const name of ['password', 'sslpassword']) {
    if (shown.searchParams.has(name)) shown.searchParams.delete(name);
  }
  return shown.href;
}
