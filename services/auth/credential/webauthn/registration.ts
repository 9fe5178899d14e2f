/**
 * Verifies new credentials. Attestation statements, which name the maker of an authenticator, are dropped unread: no model
 * is refused here. To verify one, the library follows certificates that the client has made, and fetches their revocation
 * lists: from any address, also a private one, and without a limit of time or size.
 */

import { type VerifiedRegistrationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers';
import type { AuthConfig } from '../../settings/settings.ts';
import type { Creation } from './answers.ts';

/** A credential that belongs to this site and to the challenge. */
type NewCredential = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/** Rejects where the answer is not right. */
export async function verifyCreation(
  { rpId, origins }: AuthConfig['webauthn'],
  challenge: string,
  creation: Creation,
): Promise<NewCredential> {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: withoutAttestation(creation) as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: false,
  });
  if (!verified || registrationInfo === undefined) throw new Error('the credential was not verified');
  return registrationInfo;
}

/** WebAuthn Level 2 §8.7: the same credential with an attestation of format `none`. */
function withoutAttestation(creation: Creation): Creation {
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
