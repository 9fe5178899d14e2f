/** What may be said about a request. */
import type { Body, Query } from './request-parts.ts';

/** What may be said about a request beside its path. */
export interface FetchOptions {
  method?: string;
  headers?: HeadersInit;
  query?: Query;
  body?: Body;
  signal?: AbortSignal;
  /** Milliseconds after which one attempt is given up; it may be tried again. */
  timeout?: number;
  /** How many more attempts; by default one, and none for POST, PUT, PATCH and DELETE. */
  retry?: number | false;
  /** Milliseconds before another attempt. */
  retryDelay?: number;
  /** Gives answers of status 400 to 599 like others instead of throwing. They are not tried again. */
  ignoreResponseError?: boolean;
}
