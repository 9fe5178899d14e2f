/**
 * The guard of the admin area on the server. Every loader and action below /admin calls it: the router runs
 * loaders in parallel and can run each of them alone, so the check of a parent route protects nothing.
 */
import type { User } from '@supabase/supabase-js';
import { redirect } from 'react-router';
import { checkAccess, isAdmin, lacksAssurance } from '../../session/access.ts';
import { isBackendFailure } from '../../session/backend-failure.ts';
import { type Claims, isImpersonated } from '../../session/claims.ts';
import { backendUnreachable } from '../../session/page-errors.ts';
import { sessionContext, siteContext } from './contexts.server.ts';
import { renewSession, type VisitorArgs, visitorClient } from './visitor.server.ts';

/**
 * Decides about the visitor's access at the time of the request. The claims may be as old as their token
 * and contain no factors, so the account is looked up. A visitor who became an admin after the token was
 * issued gets a new token. Throws a redirect to the sign-in page if the session or the account has ended,
 * and a 503 if the backend does not respond.
 */
export async function checkAdminAccess(args: VisitorArgs): Promise<ReturnType<typeof checkAccess>> {
  const claims = args.context.get(sessionContext)?.claims;
  if (!claims || isImpersonated(claims)) return 'not-admin';
  const { app_metadata, factors = [] } = await requireUser(args);
  const access = checkAccess({ ...claims, app_metadata }, factors);
  if (access === 'granted' && !isAdmin(claims)) await renewSession(args, await visitorClient(args));
  return access;
}

/**
 * Returns whether a visitor who wants to become the first admin must verify a second factor first. Throws
 * like {@link checkAdminAccess}.
 */
export async function needsSecondFactor(args: VisitorArgs, claims: Claims): Promise<boolean> {
  const { factors = [] } = await requireUser(args);
  return lacksAssurance(claims, factors);
}

async function requireUser(args: VisitorArgs): Promise<User> {
  const { auth } = await visitorClient(args);
  const { data: found, error } = await auth.getUser();
  if (error && isBackendFailure(error)) throw backendUnreachable();
  if (!found.user) throw redirect(args.context.get(siteContext).options.guard.login);
  return found.user;
}
