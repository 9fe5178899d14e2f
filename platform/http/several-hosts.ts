/** Rejects requests with several `Host` headers: a proxy in front may have routed by another one (RFC 9112 §3.2). */

/** @param rawHeaders names and values in turn, as Node.js received them */
export function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1;
}
