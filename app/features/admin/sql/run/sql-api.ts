/** Calls the routes below `/admin/sql` from the browser. */

/** The reason for which a call failed. `session`: the visitor is signed out, or has no access any more. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: 'offline' | 'session' | 'refused';
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(kind: ApiError['kind'], code = '', fields: Record<string, unknown> = {}) {
    super(
      typeof fields.message === 'string' && fields.message !== '' ? fields.message : `${kind} ${code}`.trim(),
    );
    this.kind = kind;
    this.code = code;
    this.fields = fields;
  }
}

/** Sends a form. Rejects with {@link ApiError}. */
export function postForm<T>(url: string, fields: Record<string, string>): Promise<T> {
  return call<T>(url, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Requests JSON. Rejects with {@link ApiError}. */
export function getJson<T>(url: string, signal?: AbortSignal): Promise<T> {
  return call<T>(url, signal ? { signal } : {});
}

async function call<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, { ...init, headers: { accept: 'application/json' } }).catch(() => {
    throw new ApiError('offline');
  });
  // The guard redirects visitors without a session to the sign-in page.
  if (response.redirected) throw new ApiError('session');
  const body = (await response.json().catch(() => undefined)) as Record<string, unknown> | undefined;
  if (response.status === 403) throw new ApiError('session');
  if (response.status === 413) throw new ApiError('refused', 'form_too_large', body ?? {});
  if (response.status >= 500 || body === undefined) throw new ApiError('offline');
  if (!response.ok) throw new ApiError('refused', String(body.code ?? ''), body);
  return body as T;
}
