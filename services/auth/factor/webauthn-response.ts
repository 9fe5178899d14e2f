/** Parses a WebAuthn response to the challenge of a factor. webauthn.ts verifies it. */
import { z } from 'zod';
import {
  type Assertion,
  parseAssertion,
  parseRegistrationResponse,
  type RegistrationResponse,
} from '../credential/webauthn/responses.ts';
import { failure } from '../errors.ts';

/** A field of the request body. {@link requireWebauthnResponse} validates its content. */
export const webauthnField = z
  .object({ type: z.string().nullish(), credential_response: z.unknown().optional() })
  .nullish()
  .transform((value) => value ?? undefined);

/** The browser's response to the options. */
export type WebauthnResponse =
  | { type: 'create'; credential: RegistrationResponse }
  | { type: 'request'; credential: Assertion };

/** Parses the browser's response. Throws `validation_failed`. */
export function requireWebauthnResponse(field: z.output<typeof webauthnField>): WebauthnResponse {
  if (field === undefined) throw refused('WebAuthn config required');
  const { type, credential_response: response } = field;
  if (type !== 'create' && type !== 'request') throw refused('WebAuthn type must be create or request');
  if (response === undefined || response === null) throw refused('credential_response required');
  const credential = type === 'create' ? parseRegistrationResponse(response) : parseAssertion(response);
  if (credential === undefined) throw refused('Invalid credential_response');
  return { type, credential } as WebauthnResponse;
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
