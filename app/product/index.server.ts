/** `greenroom/app/server`: functions for loaders and actions of a product. They never reach browsers. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { type RouterContextProvider, redirect } from 'react-router';
import type { Language } from '../lib/language.ts';
import type { Claims } from '../session/claims.ts';
import { invalidRoute as invalidRouteError, refused } from '../session/page-errors.ts';
import { storageBase } from '../session/storage-address.ts';
import {
  languageContext,
  requestContext,
  sessionContext,
  siteContext,
  visitContext,
} from '../shell/request/contexts.server.ts';
import { pagePath, pageUrl, visitorReader } from '../shell/request/visitor.server.ts';

export { resolveWithin } from '../lib/maybe-promise.ts';
export { needsWholePage } from '../lib/page/whole-page.ts';
export type { DeletedAccountContext, ServerHooks, ServerTask, TaskContext } from '../lib/server-hooks.ts';
export { removeLeftovers } from '../session/deleted-users.ts';
export { backendUnreachable, refused } from '../session/page-errors.ts';

/** Path of storage in its URLs. */
const STORAGE_PATH = '/storage/v1';

/** The context that loaders and actions receive. */
type Context = Readonly<RouterContextProvider>;

/**
 * Returns a client of data, files and functions that acts as the visitor of the request, under row level security. Its `auth`
 * cannot be used.
 * @example const { data } = await (await supabase<Database>(context)).from('todos').select();
 */
export async function supabase<Database = unknown>(context: Context): Promise<SupabaseClient<Database>> {
  const client = await visitorReader({ request: context.get(requestContext), context });
  return client as unknown as SupabaseClient<Database>;
}

/**
 * Returns a client with the service key, which bypasses row level security, e.g. for webhooks of other services. Throws a 503
 * error response if the server has no such key.
 */
export async function adminSupabase<Database = unknown>(context: Context): Promise<SupabaseClient<Database>> {
  const client = await context.get(siteContext).backend.forAdministration();
  if (client === undefined) throw refused({ status: 503, code: 'backendUnreachable' });
  return client as unknown as SupabaseClient<Database>;
}

/** Returns the verified claims of the visitor; undefined without a session. */
export function currentUser(context: Context): Claims | undefined {
  return context.get(sessionContext)?.claims;
}

/** Returns the verified claims of the visitor; throws a redirect to the sign-in page without a session. */
export function requireUser(context: Context): Claims {
  const user = currentUser(context);
  if (user === undefined) throw redirect(context.get(siteContext).options.guard.login);
  return user;
}

/** Returns the language of the visitor. */
export function languageFor(context: Context): Language {
  return context.get(languageContext);
}

/** Returns the public URL of a path, for mails and other services. */
export function urlOf(path: string, context: Context): string {
  return pageUrl(path, { request: context.get(requestContext), context });
}

/**
 * Returns the error for a page whose parameters or query are invalid, to be thrown: status 404. The frame of the page stays
 * usable.
 */
export function invalidRoute(context: Context): object {
  return invalidRouteError(pagePath({ request: context.get(requestContext), context }));
}

/**
 * Returns the URL for browsers of an object in storage, which may have another origin than the one for the server.
 * @param url result of `createSignedUrl` or `getPublicUrl` of {@link supabase}
 */
export function publicStorageUrl(url: string, context: Context): URL {
  const { pageConfigs, options } = context.get(siteContext);
  const base = storageBase({ ...pageConfigs.http.config, baseURL: options.location.baseURL });
  return new URL(
    base + url.slice(url.indexOf(STORAGE_PATH) + STORAGE_PATH.length),
    context.get(visitContext).origin,
  );
}
