/** POST /passkeys/authentication/options and …/verify: signs in with a passkey, which also identifies the user. */
import type { Transaction } from '@greenroom/postgres';
import { generateAuthenticationOptions, verifyAuthenticationResponse } from '@simplewebauthn/server';
import { z } from 'zod';
import { auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { parseBody, textField } from '../../http/request-body.ts';
import { grantWithin } from '../../session/grant.ts';
import { openSession } from '../../session/open.ts';
import { findUserById } from '../../user/find.ts';
import { isBanned, type UserRow } from '../../user/user.ts';
import { type Assertion, parseAssertion } from '../webauthn/responses.ts';
import { consumeChallenge } from './challenge.ts';
import { requirePasskeys } from './passkey.ts';
import { lockPasskey, newChallenge, type PasskeyRow, recordUse } from './statements.ts';

const fields = z.object({ challenge_id: textField, credential: z.unknown().optional() });

/** Responds with WebAuthn options, which are the same for every user, and stores the challenge. */
export async function passkeyAuthenticationOptions(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  requirePasskeys(context);
  const { config, database, limits, now } = context;
  limits.check('passkey', request, now());
  const timeout = config.passkeys.challengeMs;
  const options = await generateAuthenticationOptions({ rpID: config.webauthn.rpId, timeout });
  const expiresAt = new Date(now().getTime() + timeout);
  const { id, statement } = newChallenge('authentication', null, options.challenge, now(), expiresAt);
  await database.query(statement);
  return {
    status: 200,
    body: { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) },
  };
}

/** Verifies the browser's assertion and responds with a session. */
export async function passkeyAuthenticationVerify(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  requirePasskeys(context);
  context.limits.check('passkeyVerify', request, context.now());
  const body = parseBody(request.body, fields);
  const challenge = await consumeChallenge(context, body, 'authentication', null);
  const response = parseAssertion(body.credential);
  if (response === undefined) {
    throw failure('webauthn_verification_failed', { message: 'Invalid credential response' });
  }
  return context.hooks.transaction((tx) => signIn(tx, context, request, challenge, response));
}

async function signIn(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  challenge: string,
  response: Assertion,
): Promise<AuthResponse> {
  const [passkey] = await tx.query<PasskeyRow>(lockPasskey(response.id));
  if (passkey === undefined || !matchesUserHandle(passkey, response))
    throw failure('webauthn_verification_failed');
  const used = await verify(context, passkey, challenge, response);
  const [user] = await tx.query<UserRow>(findUserById(passkey.user_id));
  if (user === undefined) throw failure('webauthn_verification_failed');
  requireUsable(user, context.now());
  const audit = [auditEntry(user, 'login', { passkey_id: passkey.id })];
  const isUserVerified = used.isUserVerified && isNewerThanFactors(passkey, user);
  const opening = openSession(context, request, { user, method: 'passkey', audit, isUserVerified });
  return grantWithin(tx, context, request, {
    statements: [
      recordUse(passkey.id, used.counter, used.isBackedUp, context.now()),
      opening.statement,
      findUserById(user.id),
    ],
    grantOf(results) {
      const signedIn = results.at(-1)?.[0] as UserRow | undefined;
      if (signedIn === undefined || results.at(-2)?.length === 0) {
        throw failure('webauthn_verification_failed');
      }
      return { ...opening, user: signedIn };
    },
  });
}

/**
 * A passkey that is older than the first verified factor may belong to an attacker who knew only the password, so it
 * counts as one factor. Later passkeys were added in a session with two factors.
 */
function isNewerThanFactors({ created_at: createdAt }: PasskeyRow, { factors }: UserRow): boolean {
  const verified = (factors ?? []).filter(({ status }) => status === 'verified');
  if (verified.length === 0) return true;
  return verified.some(({ updated_at }) => new Date(updated_at).getTime() < createdAt.getTime());
}

/** The user handle that the authenticator returns must be the stored owner of the passkey. */
function matchesUserHandle({ user_id: userId }: PasskeyRow, { response }: Assertion): boolean {
  const { userHandle } = response;
  return userHandle !== undefined && Buffer.from(userHandle, 'base64url').toString() === userId;
}

async function verify(
  { config }: AuthContext,
  passkey: PasskeyRow,
  challenge: string,
  response: Assertion,
): Promise<{ counter: number; isBackedUp: boolean; isUserVerified: boolean }> {
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: [...config.webauthn.origins],
    expectedRPID: config.webauthn.rpId,
    requireUserVerification: false,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: Number(passkey.sign_count),
    },
  }).catch((cause: unknown) => {
    throw failure('webauthn_verification_failed', { cause });
  });
  if (!verified) throw failure('webauthn_verification_failed');
  return {
    counter: info.newCounter,
    isBackedUp: info.credentialBackedUp,
    isUserVerified: info.userVerified,
  };
}

/** Runs after the assertion was verified, so that only the owner of the passkey sees these errors. */
function requireUsable(user: UserRow, now: Date): void {
  if (user.email && user.email_confirmed_at === null) throw failure('email_not_confirmed', { status: 403 });
  if (user.phone && user.phone_confirmed_at === null) throw failure('phone_not_confirmed', { status: 403 });
  if (isBanned(user, now)) throw failure('user_banned');
}
