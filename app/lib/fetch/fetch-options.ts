import type { Body, Query } from './request-parts.ts';

/** Options of a request. */
export interface FetchOptions {
  method?: string;
  headers?: HeadersInit;
  query?: Query;
  body?: Body;
  signal?: AbortSignal;
  /** Timeout of one attempt in milliseconds; a timed-out attempt may be retried. */
  timeout?: number;
  /** Number of retries; by default 1, and 0 for POST, PUT, PATCH and DELETE. */
  retry?: number | false;
  /** Delay before a retry in milliseconds. */
  retryDelay?: number;
  /** Returns responses of status 400 to 599 instead of throwing. They are not retried. */
  ignoreResponseError?: boolean;
}
