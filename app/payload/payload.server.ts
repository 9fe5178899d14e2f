/** Answers with a page's data instead of the page. */
import type { StaticHandlerContext } from 'react-router';
import { withoutBase } from '../request/base-path.ts';
import type { Page } from '../request/page-context.tsx';
import type { Payload } from './payload.ts';

/** What the router already decided about the answer. */
interface AnswerStart {
  status: number;
  headers: Headers;
}

/** The very data from which the page would have been rendered. Of visitors with a session, no cache may keep it. */
export function payloadResponse(
  { loaderData, location }: StaticHandlerContext,
  { config, language }: Page,
  { status, headers }: AnswerStart,
): Response {
  const payload: Payload = {
    data: loaderData,
    state: { language },
    path: withoutBase(location.pathname + location.search, config.baseURL),
    serverRendered: true,
    buildId: config.buildId,
  };
  return Response.json(payload, { status, headers });
}
