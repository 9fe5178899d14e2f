/** Connection URLs of PostgreSQL, for people to read. */

/** The URL without its password: a terminal's scrollback and a service's journal are no places for one. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  if (shown.searchParams.has('password')) shown.searchParams.delete('password');
  return shown.href;
}
