/** Requests and responses of endpoints, independent of Fastify. */

/** An HTTP request. */
export interface AuthRequest {
  /** Path and query as sent. */
  target: string;
  query: URLSearchParams;
  /** Path parameters, by the names in the endpoint's path. */
  params: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  /** The token after `Authorization: Bearer`, not verified. */
  bearer: string | undefined;
  /** IP address of the client. */
  address: string;
  /** Whether limits per client apply. */
  isCounted: boolean;
  /** Claim `sub` of the bearer token, set once the token has been verified; for the log. */
  userId?: string | undefined;
  /** @param name in lower case */
  header(name: string): string | undefined;
}

/**
 * An HTTP response. A body is sent as JSON, unless the headers have another `content-type`: then it is text and sent
 * unchanged. A redirect has the header `location`.
 */
export interface AuthResponse {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Code of the error that the response reports; for the log and metrics. */
  errorCode?: string;
}
