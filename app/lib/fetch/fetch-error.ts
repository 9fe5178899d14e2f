/** What a request ends with when it has no good answer. */
import type { FetchOptions } from './fetch-options.ts';

/** Parts of a {@link FetchError}. */
interface FetchFailure {
  request: string;
  options: FetchOptions;
  /** Undefined where no answer came. */
  response?: Response;
  /** Body of the answer, parsed. */
  data?: unknown;
  cause?: unknown;
}

/** An answer of status 400 to 599, or none at all. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /** Address that was asked for. */
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

/** E.g. `[GET] "/a": 404 Not Found`, `[GET] "/a": <no response> fetch failed`. */
function describe({ request, options, response, cause }: FetchFailure): string {
  const reason = cause instanceof Error ? cause.message : '';
  const end = response ? `${response.status} ${response.statusText}` : `<no response> ${reason}`;
  return `[${(options.method ?? 'GET').toUpperCase()}] ${JSON.stringify(request)}: ${end}`.trimEnd();
}
