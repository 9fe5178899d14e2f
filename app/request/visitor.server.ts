/** What loaders and actions do for the visitor of a request. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { type RouterContextProvider, redirect } from 'react-router';
import { pluckPath, type SavedPathSettings } from '../session/saved-path.server.ts';
import { withBase } from './base-path.ts';
import { cookieContext, type Site, siteContext, visitContext } from './contexts.server.ts';
import { documentPath } from './document-path.ts';

/** Router's arguments, as far as they are needed here. */
export interface VisitorArgs {
  request: Request;
  context: Readonly<RouterContextProvider>;
}

/** A client of the backend that acts for the visitor and writes to their cookies. */
export function visitorClient({ request, context }: VisitorArgs): Promise<SupabaseClient> {
  const { backend } = context.get(siteContext);
  return backend.forVisitor(
    context.get(cookieContext),
    context.get(visitContext),
    request.headers.get('user-agent'),
  );
}

/** Path with query of the page that a request is about, below the app's base. */
export function pagePath({ request, context }: VisitorArgs): string {
  return documentPath(request.url, context.get(siteContext).options.place.baseURL);
}

/** Public address of a page, for mails and other providers. */
export function pageUrl(path: string, { context }: VisitorArgs): string {
  const { baseURL } = context.get(siteContext).options.place;
  return context.get(visitContext).origin + withBase(path, baseURL);
}

/** Sends the visitor where they wanted to go before they signed in, or home. */
export function redirectToSavedPath({ context }: VisitorArgs): Response {
  return redirect(pluckPath(context.get(cookieContext), savedPathSettings(context.get(siteContext))));
}

/** Settings of the saved path for a site. */
export function savedPathSettings({ cookiePrefix, options: { guard } }: Site): SavedPathSettings {
  return { cookiePrefix, pages: { login: guard.login, callback: guard.callback } };
}
