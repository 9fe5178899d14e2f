/** Whether a host supports passkeys. */

/**
 * Returns whether it is a host name and not an IP address, which WebAuthn rejects (WebAuthn Level 3 §5.1.3:
 * a valid domain).
 */
export function isHostName(hostname: string): boolean {
  return hostname !== '' && !hostname.startsWith('[') && !/^\d+(?:\.\d+){3}$/.test(hostname);
}
