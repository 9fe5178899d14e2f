/** A request of the queue, and its end. */

/** A request, as the queue stores it. */
export interface QueuedRequest {
  /** Differs between requests with the same id: ids begin again when the extension is created again. */
  key: string;
  id: string;
  /** GET, POST or DELETE, in any case. */
  method: string;
  url: string;
  /** Undefined if they are larger than the limit. */
  headers: Readonly<Record<string, unknown>> | null | undefined;
  /** Undefined if it is larger than the limit. */
  body: Uint8Array | null | undefined;
  timeoutMs: number;
  /** Host and port of the URL, as the limits of hosts name it. */
  host: string;
  /** Set if a database webhook has added the request. */
  webhook?: WebhookDelivery | undefined;
}

/** The delivery to which a request belongs. */
interface WebhookDelivery {
  /** The same for all attempts. */
  id: string;
  /** Name of the trigger. */
  hook: string;
  /** Ended attempts. */
  attempts: number;
}

/** The row that a request leaves in `net._http_response`. */
export interface StoredResponse {
  id: string;
  status_code: number | null;
  content_type: string | null;
  headers: Readonly<Record<string, string>> | null;
  content: string | null;
  timed_out: boolean;
  error_msg: string | null;
}

/** The end of an attempt. */
export type Outcome =
  /** The server responded. `error` is set if its response is not stored completely. */
  | { kind: 'response'; response: Omit<StoredResponse, 'id'> }
  | { kind: 'timeout' | 'refused'; message: string }
  /** `isInvalidRequest`: nothing was sent, because the request has a fault. */
  | { kind: 'error'; message: string; isInvalidRequest?: true }
  /** The API of the instance does not accept requests, because it starts or stops. */
  | { kind: 'not-sent' };

/** Sends one request. Never rejects. The signal ends the attempt; its outcome then has no meaning. */
export type SendRequest = (request: QueuedRequest, signal: AbortSignal) => Promise<Outcome>;

/** Returns the row of an outcome. */
export function storedResponse(id: string, outcome: Exclude<Outcome, { kind: 'not-sent' }>): StoredResponse {
  if (outcome.kind === 'response') return { id, ...outcome.response };
  const none = { status_code: null, content_type: null, headers: null, content: null };
  return { id, ...none, timed_out: outcome.kind === 'timeout', error_msg: outcome.message };
}
