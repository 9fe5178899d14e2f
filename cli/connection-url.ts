/** Returns the URL without its password, which does not belong in a terminal's scrollback or a service's journal. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.password = '';
  for (const name of ['password', 'sslpassword']) {
    if (shown.searchParams.has(name)) shown.searchParams.delete(name);
  }
  return shown.href;
}
