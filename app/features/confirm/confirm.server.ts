/** Completes a sign-in by a link or an OAuth provider: exchanges the code or the token for a session. */
import { data, redirect } from 'react-router';
import { describeAuthError } from '../../session/auth-errors.ts';
import { NEW_PASSWORD_PATH } from '../../session/one-time-view.ts';
import { languageContext, sessionContext } from '../../shell/request/contexts.server.ts';
import { redirectToSavedPath, type VisitorArgs, visitorClient } from '../../shell/request/visitor.server.ts';
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
  return type === 'magiclink' ? redirectToSavedPath(args) : redirect(NEW_PASSWORD_PATH);
}
