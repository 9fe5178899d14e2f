/** What an endpoint sees of HTTP, and what it answers. */

/** A request, as far as endpoints are concerned. */
export interface AuthRequest {
  /** Path and query as sent. */
  target: string;
  query: URLSearchParams;
  /** Of the path, by the names that the endpoint's path gives them. */
  params: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  /** The token after `Authorization: Bearer`, not verified. */
  bearer: string | undefined;
  /** Address of the client. */
  address: string;
  /** Whether limits per client apply. */
  isCounted: boolean;
  /** @param name in lower case */
  header(name: string): string | undefined;
}

/**
 * An answer. A body that is not undefined is sent as JSON; where the headers name another `content-type`, it is text
 * and sent as it is. A redirect is a status with the header `location`.
 */
export interface AuthResponse {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}
