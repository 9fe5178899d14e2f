/** Confirms that the person at the browser is the administrator: a recent sign-in, the password, or the code of a factor. */
import type { Claims } from '../../../session/claims.ts';
import { sessionContext } from '../../../shell/request/contexts.server.ts';
import { sessionlessClient, type VisitorArgs, visitorClient } from '../../../shell/request/visitor.server.ts';

const MAX_AGE_SECONDS = 300;

/** Returns whether the session was authenticated within the last five minutes. */
function isRecent({ amr }: Pick<Claims, 'amr'>, nowSeconds: number): boolean {
  return amr.some(({ timestamp }) => timestamp > nowSeconds - MAX_AGE_SECONDS);
}

/** Returns whether the visitor has confirmed their identity, with the fields of a form if necessary. */
export async function isReauthenticated(args: VisitorArgs, form: FormData): Promise<boolean> {
  const claims = args.context.get(sessionContext)?.claims;
  if (claims === undefined) return false;
  if (isRecent(claims, Math.floor(Date.now() / 1000))) return true;
  const password = String(form.get('password') ?? '');
  if (password !== '') return hasPassword(args, claims, password);
  const code = String(form.get('code') ?? '').trim();
  return code !== '' && hasFactor(args, code);
}

/** Signs in and out again, because the auth service has no other check of a password. */
async function hasPassword(
  args: VisitorArgs,
  { sub, email, phone }: Claims,
  password: string,
): Promise<boolean> {
  const { auth } = await sessionlessClient(args);
  const identity = email === '' ? { phone } : { email };
  const { data } = await auth.signInWithPassword({ ...identity, password });
  if (data.session === null) return false;
  await auth.signOut({ scope: 'local' });
  return data.user?.id === sub;
}

async function hasFactor(args: VisitorArgs, code: string): Promise<boolean> {
  const { auth } = await visitorClient(args);
  const { data } = await auth.mfa.listFactors();
  for (const { id } of data?.totp ?? []) {
    const { error } = await auth.mfa.challengeAndVerify({ factorId: id, code });
    if (!error) return true;
  }
  return false;
}

/** Returns whether the visitor has an authenticator app. */
export async function hasAuthenticator(args: VisitorArgs): Promise<boolean> {
  const { auth } = await visitorClient(args);
  const { data } = await auth.mfa.listFactors();
  return (data?.totp.length ?? 0) > 0;
}
