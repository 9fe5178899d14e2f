/**
 * Returns the URL of a server on `host` and `port` for clients on its own machine. The addresses for "all interfaces"
 * become the loopback address.
 */
export function listeningUrl(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
