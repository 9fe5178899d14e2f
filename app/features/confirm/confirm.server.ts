/** Completes a sign-in by a link or an OAuth provider: exchanges the code or a token for a session. */
import type { AuthError } from '@supabase/supabase-js';
import { data, redirect, redirectDocument } from 'react-router';
import { describeAuthError, describeLinkError } from '../../session/auth-errors.ts';
import { isBackendFailure } from '../../session/backend-failure.ts';
import { NEW_PASSWORD_PATH } from '../../session/one-time-view.ts';
import { languageContext, sessionContext } from '../../shell/request/contexts.server.ts';
import {
  redirectToSavedPath,
  sessionlessClient,
  type VisitorArgs,
  visitorClient,
} from '../../shell/request/visitor.server.ts';
import { type Callback, readCallback } from './callback.ts';
import { type LinkResult, linkResultOf, problemOf } from './link-result.ts';

/** Redirects to the saved path if there is a session, unless a message has to be shown. */
export async function confirm(args: VisitorArgs & { url: URL }) {
  const callback = readCallback(args.url.searchParams);
  if (callback.kind === 'code') return exchange(args, callback.code);
  if (callback.kind === 'token') return verifyToken(args, callback);
  if (callback.kind === 'nothing' && args.context.get(sessionContext)) return redirectToSavedPath(args);
  const result = linkResultOf(callback, args.context.get(languageContext));
  return data<LinkResult>(result, { status: result.kind === 'problem' ? 400 : 200 });
}

async function exchange(args: VisitorArgs, code: string) {
  const client = await visitorClient(args);
  const { error } = await client.auth.exchangeCodeForSession(code);
  if (!error) return redirectToSavedPath(args);
  const { message, status } = describeAuthError(error, args.context.get(languageContext));
  return data<LinkResult>(problemOf(error.code, message), { status });
}

/** A link of an administrator needs no code of the flow, because it was created for another browser. */
async function verifyToken(args: VisitorArgs, { tokenHash, type }: Extract<Callback, { kind: 'token' }>) {
  const client = await visitorClient(args);
  const { error } = await client.auth.verifyOtp({ token_hash: tokenHash, type });
  if (error) {
    const { message, status } = describeAuthError(error, args.context.get(languageContext));
    return data<LinkResult>(problemOf(error.code, message), { status });
  }
  return toNextPage(args, type);
}

/**
 * Signs the visitor in with the refresh token of a fragment, which a script has sent. The token is exchanged at once, so the one in
 * the browser's history cannot be used again.
 */
export async function openFragmentSession(args: VisitorArgs) {
  const form = await args.request.formData();
  // A token that is rejected must not end the session of the visitor.
  const sessionless = await sessionlessClient(args);
  const token = String(form.get('refresh_token') ?? '');
  const { data: found, error } = await sessionless.auth.refreshSession({ refresh_token: token });
  if (found.session === null) return problemOfToken(args, error);
  const { auth } = await visitorClient(args);
  const { error: setError } = await auth.setSession(found.session);
  if (setError) return problemOfToken(args, setError);
  const next = toNextPage(args, String(form.get('type') ?? ''));
  // The scripts of a page keep the user with whom they have started.
  const wasSignedIn = args.context.get(sessionContext) !== undefined;
  return wasSignedIn ? redirectDocument(next.headers.get('location') ?? '/') : next;
}

function problemOfToken(args: VisitorArgs, error: AuthError | null) {
  const language = args.context.get(languageContext);
  if (error && isBackendFailure(error)) {
    const { message, status } = describeAuthError(error, language);
    return data<LinkResult>(problemOf(error.code, message), { status });
  }
  const code = 'otp_expired';
  return data<LinkResult>(problemOf(code, describeLinkError(code, language).message), { status: 400 });
}

/** Users without a password, or who have forgotten it, choose one. */
function toNextPage(args: VisitorArgs, type: string): Response {
  const needsPassword = type === 'invite' || type === 'recovery';
  return needsPassword ? redirect(NEW_PASSWORD_PATH) : redirectToSavedPath(args);
}
