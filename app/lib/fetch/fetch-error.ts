/** The error of a failed request. */
import type { FetchOptions } from './fetch-options.ts';

interface FetchFailure {
  request: string;
  options: FetchOptions;
  /** Undefined if no response arrived. */
  response?: Response;
  /** Parsed body of the response. */
  data?: unknown;
  cause?: unknown;
}

/** A response of status 400 to 599, or no response at all. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /** Requested URL. */
  readonly request: string;
  readonly options: FetchOptions;
  readonly response: Response | undefined;
  readonly status: number | undefined;
  readonly statusText: string | undefined;
  readonly data: unknown;

  constructor(failure: FetchFailure) {
    super(describe(failure), { cause: failure.cause });
    this.request = failure.request;
    this.options = failure.options;
    this.response = failure.response;
    this.status = failure.response?.status;
    this.statusText = failure.response?.statusText;
    this.data = failure.data;
  }
}

/** Formats the message, e.g. `[GET] "/a": 404 Not Found`, `[GET] "/a": <no response> fetch failed`. */
function describe({ request, options, response, cause }: FetchFailure): string {
  const reason = cause instanceof Error ? cause.message : '';
  const end = response ? `${response.status} ${response.statusText}` : `<no response> ${reason}`;
  return `[${(options.method ?? 'GET').toUpperCase()}] ${JSON.stringify(request)}: ${end}`.trimEnd();
}
