/** Where a listening server is reached from its own machine. */

/** URL of a server on `host` and `port`. One that listens on every address is still reached at one. */
export function listeningUrl(host: string, port: number): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
