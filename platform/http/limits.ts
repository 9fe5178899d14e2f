/** Limits on every request, whatever it asks for. Each has an error of its own. */
export const limits = {
  /** Longer URLs are answered 414. */
  urlBytes: 16 * 1024,
  /** The same for services that are asked with long URLs, such as data queries with lists of ids. */
  longUrlBytes: 64 * 1024,
  /** One header, unless it carries a token or metadata; more is answered 431. */
  headerValueBytes: 8 * 1024,
  /** Request line and headers together; more is answered 431. Above `longUrlBytes`, so that a long URL gets its 414. */
  headerBytes: 128 * 1024,
  /** Default limit of bodies, in bytes; services set their own. More is answered 413. */
  bodyBytes: 1024 * 1024,
  /** Bodies up to this size reserve no memory, see body-budget.ts. */
  smallBodyBytes: 64 * 1024,
  /** Reserved for a body that does not say how long it is. */
  unknownBodyBytes: 16 * 1024 * 1024,
  /** Bodies of one client that are under way, in bytes; more is answered 429. */
  bodyBytesPerClient: 64 * 1024 * 1024,
  /** Bodies of all clients that are under way, in bytes; more is answered 429. */
  bodyBytesInTotal: 512 * 1024 * 1024,
  /** A refused body up to this size is read to its end and dropped, so that its sender gets to read the refusal. */
  drainedBodyBytes: 64 * 1024 * 1024,
  /** A request's headers must have arrived within this time. */
  headersTimeoutMs: 30_000,
  /** A whole body must have arrived within this time, unless its service reads it while it comes. */
  bodyTimeoutMs: 300_000,
  /** Nothing of a body that is read while it comes has come for so long: it is given up. */
  bodyPauseMs: 60_000,
  keepAliveMs: 72_000,
} as const;
