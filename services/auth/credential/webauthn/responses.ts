/** Parses the responses of authenticators (WebAuthn Level 3 §5.1.8) from the JSON that browsers send. */
import { z } from 'zod';

const encoded = z.base64url().min(1).max(4096);
const results = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) => value ?? {});
const common = {
  id: encoded,
  rawId: encoded,
  type: z.literal('public-key'),
  clientExtensionResults: results,
};

/** The response to a registration. */
export type RegistrationResponse = z.output<typeof creation>;

const creation = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: z.base64url().min(1).max(65_536),
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
});

/** The response to an authentication. */
export type Assertion = z.output<typeof assertion>;

const assertion = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.nullish().transform((value) => value ?? undefined),
  }),
});

/** Parses the response to a registration; undefined if it is invalid. */
export function parseRegistrationResponse(value: unknown): RegistrationResponse | undefined {
  return creation.safeParse(value).data;
}

/** Parses the response to an authentication; undefined if it is invalid. */
export function parseAssertion(value: unknown): Assertion | undefined {
  return assertion.safeParse(value).data;
}
