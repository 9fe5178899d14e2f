/** What browsers bring back from security keys and devices (WebAuthn Level 3 §5.1.8, in its JSON form). */
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

/** Of a new credential. */
export type Creation = z.output<typeof creation>;

const creation = z.object({
  ...common,
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: z.base64url().min(1).max(65_536),
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
});

/** Of a credential that was used. */
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

/** Undefined where it is none. */
export function readCreation(value: unknown): Creation | undefined {
  return creation.safeParse(value).data;
}

/** Undefined where it is none. */
export function readAssertion(value: unknown): Assertion | undefined {
  return assertion.safeParse(value).data;
}
