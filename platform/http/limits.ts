/** Limits of every request. Each one has its own error. */
export const limits = {
  /** Longer URLs get status 414. */
  urlBytes: 16 * 1024,
  /** The same limit for services that accept long URLs, such as data queries with lists of ids. */
  longUrlBytes: 64 * 1024,
  /** Maximum length of one header, unless it contains a token or metadata; otherwise status 431. */
  headerValueBytes: 8 * 1024,
  /**
   * Maximum length of request line and headers together; otherwise status 431. Greater than `longUrlBytes`, so that a
   * long URL gets its 414.
   */
  headerBytes: 128 * 1024,
  /** Default limit of bodies, in bytes; services set their own. Longer bodies get status 413. */
  bodyBytes: 1024 * 1024,
  /** Bodies up to this size reserve no memory, see body-budget.ts. */
  smallBodyBytes: 64 * 1024,
  /** Bytes reserved for a body of unknown length. */
  unknownBodyBytes: 16 * 1024 * 1024,
  /** Total bytes of one client's bodies in transit; otherwise status 429. */
  bodyBytesPerClient: 64 * 1024 * 1024,
  /** Total bytes of all clients' bodies in transit; otherwise status 429. */
  bodyBytesInTotal: 512 * 1024 * 1024,
  /** A rejected body up to this size is read to its end and discarded, so that its sender can read the response. */
  drainedBodyBytes: 64 * 1024 * 1024,
  /** Time within which a request's headers must have arrived. */
  headersTimeoutMs: 30_000,
  /** Time within which a whole body must have arrived, unless its service reads it as a stream. */
  bodyTimeoutMs: 300_000,
  /** A streamed body of which nothing arrives for this time is aborted. */
  bodyPauseMs: 60_000,
  /**
   * How long an idle connection stays open. Longer than proxies keep theirs (nginx 60 s, Traefik 90 s, Caddy 120 s):
   * otherwise a proxy may send a request on a connection that is being closed, and respond with 502.
   */
  keepAliveMs: 130_000,
  /** Maximum number of concurrent streams of one connection with HTTP/2. */
  http2Streams: 100,
  /** Streams that a client may cancel at once, and per second after that, before its connection is closed. */
  http2Resets: 200,
  http2ResetsPerSecond: 30,
  /** Streams that are refused with status 429 before their connection is closed. */
  http2Refusals: 100,
  /** Invalid frames after which a connection is closed. */
  http2InvalidFrames: 100,
  /** Unread bytes of one stream, and of all streams of a connection. */
  http2StreamWindowBytes: 256 * 1024,
  http2WindowBytes: 1024 * 1024,
  /** Maximum size of the headers of a response to HTTP/2. */
  responseHeaderBytes: 256 * 1024,
} as const;
