/** Whether a host can have passkeys. */

/** Tells names from bare addresses, for which WebAuthn is refused (WebAuthn Level 3 §5.1.3: a valid domain). */
export function isHostName(hostname: string): boolean {
  return hostname !== '' && !hostname.startsWith('[') && !/^\d+(?:\.\d+){3}$/.test(hostname);
}
