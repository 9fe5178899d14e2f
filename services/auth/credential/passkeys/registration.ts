/** POST /passkeys/registration/options and …/verify: adds a passkey to the caller's account. */
import { randomUUID } from 'node:crypto';
import { generateRegistrationOptions } from '@simplewebauthn/server';
import { z } from 'zod';
import { auditEntry } from '../../audit/entry.ts';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { parseBody, textField } from '../../http/request-body.ts';
import { violatedUniqueConstraint } from '../../lib/database-error.ts';
import { isSessionEndedError, requireSessionInBatch } from '../../session/caller.ts';
import { displayName, type UserRow } from '../../user/user.ts';
import { verifyRegistration } from '../webauthn/registration.ts';
import { parseRegistrationResponse, type RegistrationResponse } from '../webauthn/responses.ts';
import { authenticatorName } from './authenticators.ts';
import { consumeChallenge } from './challenge.ts';
import { requireManager } from './passkey.ts';
import { findPasskeys, insertPasskey, type NewPasskey, newChallenge, type PasskeyRow } from './statements.ts';

const fields = z.object({ challenge_id: textField, credential: z.unknown().optional() });

/** Responds with WebAuthn options for a new passkey, and stores the challenge. Throws `too_many_passkeys`. */
export async function passkeyRegistrationOptions(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  const { user } = await requireManager(context, request);
  context.limits.check('passkeyRegistration', request, context.now(), user.id);
  const { config, database, now } = context;
  const known = await database.query<PasskeyRow>(findPasskeys(user.id));
  if (known.length >= config.passkeys.maxPerUser) throw failure('too_many_passkeys');
  const { rpId, rpName } = config.webauthn;
  const options = await generateRegistrationOptions({
    rpID: rpId,
    rpName,
    timeout: config.passkeys.challengeMs,
    userID: Buffer.from(user.id),
    userName: user.email || user.phone || user.id,
    userDisplayName: displayName(user),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
  const expiresAt = new Date(now().getTime() + config.passkeys.challengeMs);
  const { id, statement } = newChallenge('registration', user.id, options.challenge, now(), expiresAt);
  await database.query(statement);
  return {
    status: 200,
    body: { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) },
  };
}

/**
 * Verifies the browser's response and stores the passkey. Throws `webauthn_verification_failed`,
 * `webauthn_credential_exists` or `too_many_passkeys`.
 */
export async function passkeyRegistrationVerify(
  context: AuthContext,
  request: AuthRequest,
): Promise<AuthResponse> {
  const caller = await requireManager(context, request);
  const { user } = caller;
  context.limits.check('passkeyRegistration', request, context.now(), user.id);
  const body = parseBody(request.body, fields);
  const challenge = await consumeChallenge(context, body, 'registration', user.id);
  const response = parseRegistrationResponse(body.credential);
  if (response === undefined) {
    throw failure('webauthn_verification_failed', { message: 'Invalid credential response' });
  }
  const passkey = await verify(context, user, challenge, response);
  const now = context.now();
  const results = await context.database
    .batch([
      insertPasskey(passkey, context.config.passkeys.maxPerUser, now),
      ...writeAudit(context, request, [auditEntry(user, 'passkey_created', { passkey_id: passkey.id })]),
      ...requireSessionInBatch(caller),
    ])
    .catch((error: unknown) => {
      if (isSessionEndedError(error)) throw failure('session_not_found');
      throw violatedUniqueConstraint(error) === undefined ? error : failure('webauthn_credential_exists');
    });
  if (results[0]?.length === 0) throw failure('too_many_passkeys');
  const { id, name } = passkey;
  return { status: 200, body: { id, friendly_name: name || undefined, created_at: now } };
}

async function verify(
  { config }: AuthContext,
  { id: userId }: UserRow,
  challenge: string,
  response: RegistrationResponse,
): Promise<NewPasskey> {
  const info = await verifyRegistration(config.webauthn, challenge, response).catch((cause: unknown) => {
    throw failure('webauthn_verification_failed', { cause });
  });
  return {
    id: randomUUID(),
    userId,
    credentialId: info.credential.id,
    publicKey: info.credential.publicKey,
    attestationType: info.fmt,
    aaguid: info.aaguid,
    signCount: info.credential.counter,
    transports: info.credential.transports ?? [],
    isBackupEligible: info.credentialDeviceType === 'multiDevice',
    isBackedUp: info.credentialBackedUp,
    name: authenticatorName(info.aaguid),
  };
}
