/** Responds with a page's data instead of the page. */
import { isRouteErrorResponse, type StaticHandlerContext } from 'react-router';
import { withoutBase } from '../../lib/page/base-path.ts';
import type { Page } from '../../lib/page/page-context.tsx';
import type { Payload, RaisedError } from '../../lib/payload/payload.ts';
import type { ErrorDescription } from '../errors/describe-error.ts';
import { jsonErrorBody } from '../errors/json-error.ts';

/** The parts of the response that are already decided. */
interface ResponseStart {
  status: number;
  headers: Headers;
  /** Set for a page that failed. */
  failure: { error: unknown; description: ErrorDescription } | undefined;
}

/**
 * Responds with the same data from which the page would be rendered. Caches must not store the data of
 * visitors with a session.
 */
export async function payloadResponse(
  { loaderData, location }: StaticHandlerContext,
  { config, language, requestId }: Page,
  { status, headers, failure }: ResponseStart,
): Promise<Response> {
  const payload: Payload = {
    data: (await settled(loaderData)) as Payload['data'],
    state: { language },
    path: withoutBase(location.pathname + location.search, config.baseURL),
    serverRendered: true,
    buildId: config.buildId,
  };
  if (!failure) return Response.json(payload, { status, headers });
  const body = jsonErrorBody(failure.description, payload.path);
  return Response.json(
    { ...body, payload: { ...payload, error: toRaisedError(failure.error, requestId) } },
    { status, headers },
  );
}

/** Awaits all promises in a loader's data, at any depth: a document can stream them, a payload cannot. */
async function settled(data: unknown): Promise<unknown> {
  const value = await data;
  if (!isPlain(value)) return value;
  const fields = Object.entries(value).map(async ([name, field]) => [name, await settled(field)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * Errors that pages raise on purpose are meant for the client; all others are only logged, under the
 * request's id.
 */
function toRaisedError(error: unknown, requestId: string): RaisedError {
  if (!isRouteErrorResponse(error)) {
    return { status: 500, statusText: 'Internal Server Error', data: { requestId } };
  }
  return { status: error.status, statusText: error.statusText, data: error.data };
}
