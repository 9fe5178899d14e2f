/**
 * Verifies new WebAuthn credentials without their attestation statements, which identify the model of an authenticator.
 * No model is rejected here. To verify a statement, the library would follow certificates from the client and fetch
 * their revocation lists from any address, including private ones, without limits on time or size.
 */

import { type VerifiedRegistrationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers';
import type { AuthConfig } from '../../settings/settings.ts';
import type { RegistrationResponse } from './responses.ts';

/** A verified credential. */
type NewCredential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/** Verifies a credential against the challenge and the site. Rejects if it is not valid. */
export async function verifyRegistration(
  { rpId, origins }: AuthConfig['webauthn'],
  challenge: string,
  creation: RegistrationResponse,
): Promise<NewCredential> {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: withoutAttestation(creation) as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: false,
  });
  if (!verified || registrationInfo === undefined) throw new Error('the credential could not be verified');
  return registrationInfo;
}

/** Replaces the attestation by one of format `none` (WebAuthn Level 2 §8.7); the credential is the same. */
function withoutAttestation(creation: RegistrationResponse): RegistrationResponse {
  const { response } = creation;
  const sent = new Uint8Array(Buffer.from(response.attestationObject, 'base64url'));
  const authData = decodeAttestationObject(sent).get('authData');
  const none = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]),
  );
  return {
    ...creation,
    response: { ...response, attestationObject: Buffer.from(none).toString('base64url') },
  };
}
