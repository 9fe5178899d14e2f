/**
 * Security keys and devices as second factors (WebAuthn Level 2): options for the browser, and verification of its
 * response. Credentials are stored in GoTrue's format.
 */
import type { Statement } from '@greenroom/postgres';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { AuthContext } from '../context.ts';
import { verifyRegistration } from '../credential/webauthn/registration.ts';
import type { Assertion, RegistrationResponse } from '../credential/webauthn/responses.ts';
import { failure } from '../errors.ts';
import type { FactorRow } from '../user/factor.ts';
import { displayName } from '../user/user.ts';
import type { FactorCaller } from './caller.ts';
import type { LockedChallenge } from './challenges.ts';
import type { WebauthnResponse } from './webauthn-response.ts';

/** The format of `auth.mfa_factors.web_authn_credential`; bytes are base64. */
interface StoredCredential {
  id: string;
  publicKey: string;
  attestationType: string;
  transport: string[];
  flags: { userPresent: boolean; userVerified: boolean; backupEligible: boolean; backupState: boolean };
  authenticator: { AAGUID: string; signCount: number; cloneWarning: boolean };
}

/**
 * Creates options for the browser: to register a new factor, or to sign with a verified one. The challenge stores
 * `webauthn`.
 */
export async function planWebauthnChallenge(
  { config, database }: AuthContext,
  { user }: FactorCaller,
  factor: FactorRow,
): Promise<{ webauthn: object; response: { type: 'create' | 'request'; credential_options: object } }> {
  const { rpId, rpName } = config.webauthn;
  const timeout = config.factors.challengeMs;
  const known = await database.query<{ id: string; credential: StoredCredential }>(findCredentials(user.id));
  if (factor.status === 'verified') {
    const own = known.filter(({ id }) => id === factor.id).map(({ credential }) => toDescriptor(credential));
    const options = await generateAuthenticationOptions({ rpID: rpId, timeout, allowCredentials: own });
    return {
      webauthn: { challenge: options.challenge },
      response: { type: 'request', credential_options: { publicKey: options } },
    };
  }
  const options = await generateRegistrationOptions({
    rpID: rpId,
    rpName,
    timeout,
    userID: Buffer.from(user.id),
    userName: user.email || user.phone || user.id,
    userDisplayName: displayName(user),
    attestationType: 'none',
    excludeCredentials: known.map(({ credential }) => toDescriptor(credential)),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  });
  return {
    webauthn: { challenge: options.challenge },
    response: { type: 'create', credential_options: { publicKey: options } },
  };
}

/** Verifies the browser's response. Throws `mfa_verification_failed`. */
export async function verifyWebauthn(
  context: AuthContext,
  factor: FactorRow,
  challenge: LockedChallenge,
  response: WebauthnResponse,
): Promise<{ usedCode: null; statements: Statement[] }> {
  const isNew = challenge.status === 'unverified';
  if (isNew !== (response.type === 'create') || challenge.webauthn === null) throw failed();
  const credential = await (response.type === 'create'
    ? register(context, challenge, response.credential)
    : authenticate(context, challenge, response.credential)
  ).catch((cause: unknown) => {
    throw failed(cause);
  });
  const data = { challenge: { id: challenge.id, created_at: challenge.created_at }, type: response.type };
  return { usedCode: null, statements: [storeCredential(factor.id, credential, data, context.now())] };
}

async function register(
  { config }: AuthContext,
  challenge: LockedChallenge,
  response: RegistrationResponse,
): Promise<StoredCredential> {
  const info = await verifyRegistration(config.webauthn, challenge.webauthn?.challenge ?? '', response);
  return {
    id: toBase64(Buffer.from(info.credential.id, 'base64url')),
    publicKey: toBase64(info.credential.publicKey),
    attestationType: info.fmt,
    transport: info.credential.transports ?? [],
    flags: {
      userPresent: true,
      userVerified: info.userVerified,
      backupEligible: info.credentialDeviceType === 'multiDevice',
      backupState: info.credentialBackedUp,
    },
    authenticator: { AAGUID: info.aaguid, signCount: info.credential.counter, cloneWarning: false },
  };
}

async function authenticate(
  { config }: AuthContext,
  challenge: LockedChallenge,
  response: Assertion,
): Promise<StoredCredential> {
  const stored = challenge.credential as unknown as StoredCredential | null;
  if (stored === null || toBase64(Buffer.from(response.id, 'base64url')) !== stored.id) throw failed();
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge.webauthn?.challenge ?? '',
    expectedOrigin: [...config.webauthn.origins],
    expectedRPID: config.webauthn.rpId,
    requireUserVerification: false,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(Buffer.from(stored.publicKey, 'base64')),
      counter: stored.authenticator.signCount,
    },
  });
  if (!verified) throw failed();
  const flags = { ...stored.flags, userVerified: info.userVerified, backupState: info.credentialBackedUp };
  return { ...stored, flags, authenticator: { ...stored.authenticator, signCount: info.newCounter } };
}

function findCredentials(userId: string): Statement {
  return {
    name: 'auth_find_webauthn_credentials',
    text: `select id, web_authn_credential as credential from auth.mfa_factors
      where user_id = $1 and web_authn_credential is not null`,
    values: [userId],
  };
}

function storeCredential(factorId: string, credential: StoredCredential, data: object, now: Date): Statement {
  return {
    name: 'auth_keep_webauthn_credential',
    text: `update auth.mfa_factors set web_authn_credential = $2, web_authn_aaguid = $3,
        last_webauthn_challenge_data = $4, updated_at = $5 where id = $1`,
    values: [
      factorId,
      JSON.stringify(credential),
      credential.authenticator.AAGUID,
      JSON.stringify(data),
      now,
    ],
  };
}

function toDescriptor({ id, transport }: StoredCredential) {
  const transports = transport as ('usb' | 'nfc' | 'ble' | 'internal' | 'hybrid')[];
  return { id: Buffer.from(id, 'base64').toString('base64url'), transports };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function failed(cause?: unknown) {
  return failure('mfa_verification_failed', { message: 'Invalid WebAuthn response', cause });
}
