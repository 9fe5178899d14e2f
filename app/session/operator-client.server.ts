/** Client of the routes for operators of the instance, such as its log. For the admin area only. */

/** The instance refused a request, or did not respond. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  /** HTTP status; 503 without a response. */
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Paths are below the prefix, for example `/logs`. All methods reject with {@link OperatorError}. */
export interface OperatorClient {
  get<T>(path: string, query?: Readonly<Record<string, string>>): Promise<T>;
  /** Sends a body as JSON. Resolves with undefined for a response without a body. */
  send<T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
  /** Returns the body of a response while it arrives. The signal ends it. */
  stream(
    path: string,
    options?: { query?: Readonly<Record<string, string>>; signal?: AbortSignal },
  ): Promise<ReadableStream<Uint8Array>>;
}

interface Connection {
  /** URL of the routes. */
  url: string;
  key: string;
  fetch: typeof fetch;
}

const NO_CONTENT = 204;

/** Creates a client. */
export function createOperatorClient({ url, key, fetch }: Connection): OperatorClient {
  async function call(path: string, { headers, ...init }: RequestInit): Promise<Response> {
    const sent = { ...init, headers: { ...headers, apikey: key } };
    const response = await fetch(url + path, sent).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw new OperatorError(503, 'unreachable', 'The instance does not respond.');
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  return {
    async get<T>(path: string, query: Readonly<Record<string, string>> = {}) {
      return (await (await call(withQuery(path, query), { method: 'GET' })).json()) as T;
    },
    async send<T>(method: string, path: string, body?: unknown) {
      const response = await call(path, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      });
      return (response.status === NO_CONTENT ? undefined : await response.json()) as T;
    },
    async stream(path, { query = {}, signal } = {}) {
      const { body } = await call(withQuery(path, query), { method: 'GET', ...(signal && { signal }) });
      if (body === null) throw new OperatorError(503, 'unreachable', 'The response is empty.');
      return body;
    },
  };
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

async function errorOf(response: Response): Promise<OperatorError> {
  const body = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  return new OperatorError(
    response.status,
    body.code ?? 'unknown',
    body.message ?? `Status ${response.status}`,
  );
}
