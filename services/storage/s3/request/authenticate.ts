/** Authenticates requests of the S3 protocol by their signature. */
import { secretsEqual } from '@greenroom/keys';
import { type Caller, SERVICE_CALLER } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { failure } from '../../errors.ts';
import type { SignedRequest } from '../signature/canonical.ts';
import type { SentSignature } from '../signature/sent-signature.ts';
import {
  type Address,
  isSignedWith,
  requireSignedHeaders,
  requireValidScope,
  signaturesEqual,
  signingKey,
  signText,
} from '../signature/verify.ts';

/** A verified signature and its caller. */
export interface Authenticated {
  caller: Caller;
  signature: SentSignature;
  /** The signing secret, which also signs chunks of the body. */
  secret: string;
}

type AuthenticationContext = Pick<Context, 's3Keys' | 'readCaller'> & {
  config: Pick<Context['config'], 's3Protocol'>;
};

/** Authenticates a request whose headers are signed. Throws if the signature is invalid. */
export async function authenticateRequest(
  context: AuthenticationContext,
  signature: SentSignature,
  request: SignedRequest,
  addresses: readonly Address[],
): Promise<Authenticated> {
  requireValidScope(signature, context.config.s3Protocol, Date.now());
  const secret = secretOf(context, signature);
  if (!isSignedWith(secret, signature, request, addresses)) throw failure('SignatureDoesNotMatch');
  requireSignedHeaders(signature, request);
  return { caller: await callerOf(context, signature), signature, secret };
}

/** Authenticates a form by its signed policy. Does not check whether the form satisfies the policy. */
export async function authenticateForm(
  context: AuthenticationContext,
  signature: SentSignature,
  policy: string,
): Promise<Authenticated> {
  requireValidScope(signature, context.config.s3Protocol, Date.now());
  const secret = secretOf(context, signature);
  const expected = signText(signingKey(secret, signature.credential), policy);
  if (!signaturesEqual(expected, signature.signature)) throw failure('SignatureDoesNotMatch');
  return { caller: await callerOf(context, signature), signature, secret };
}

/**
 * Requests with a session token use the project's name as access key, and the public anon key as secret. There is only
 * one project, so the access key is not checked.
 */
function secretOf({ s3Keys }: AuthenticationContext, { credential, sessionToken }: SentSignature): string {
  if (sessionToken !== undefined) return s3Keys.anonKey;
  if (!secretsEqual(credential.accessKeyId, s3Keys.accessKeyId)) throw failure('InvalidAccessKeyId');
  return s3Keys.secretAccessKey;
}

async function callerOf(
  { readCaller }: AuthenticationContext,
  { sessionToken }: SentSignature,
): Promise<Caller> {
  return sessionToken === undefined ? SERVICE_CALLER : readCaller(sessionToken);
}
