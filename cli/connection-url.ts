/** Connection URLs of PostgreSQL, for people to read. */

/** The URL without its password: a terminal's scrollback and a service's journal are no places for one. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  for (const name of ['password', 'sslpassword']) {
    if (shown.searchParams.has(name)) shown.searchParams.delete(name);
  }
  return shown.href;
}
