/** The page for every path without a page. */

import { payloadLoader } from '../lib/payload/client-payload.ts';
import { pageNotFound } from '../session/page-errors.ts';
import { pagePath } from '../shell/request/visitor.server.ts';
import type { Route } from './+types/not-found';

export function loader(args: Route.LoaderArgs) {
  throw pageNotFound(pagePath(args));
}

export const clientLoader = payloadLoader<typeof loader>('routes/not-found');

export function action(args: Route.ActionArgs) {
  throw pageNotFound(pagePath(args));
}

export default function NotFound() {
  return null;
}
