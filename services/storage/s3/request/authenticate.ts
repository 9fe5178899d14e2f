/** Who sends a request of the S3 protocol: told by what it is signed with. */
import { secretsEqual } from '@greenroom/keys';
import { type Caller, SERVICE_CALLER } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { failure } from '../../errors.ts';
import type { SignedRequest } from '../signature/canonical.ts';
import type { SentSignature } from '../signature/sent-signature.ts';
import {
  type Address,
  isSame,
  isSignedWith,
  requireSignedHeaders,
  requireValidScope,
  signingKey,
  signText,
} from '../signature/verify.ts';

/** Somebody whose signature is right. */
export interface Authenticated {
  caller: Caller;
  signature: SentSignature;
  /** What it was signed with: chunks of the body are, too. */
  secret: string;
}

type Needs = Pick<Context, 's3Keys' | 'readCaller'> & { config: Pick<Context['config'], 's3Protocol'> };

/** Of a request that is signed as a whole. Throws what says that it is not. */
export async function authenticateRequest(
  context: Needs,
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

/** Of a form, whose policy is signed. Whether the form is what the policy allows is another question. */
export async function authenticateForm(
  context: Needs,
  signature: SentSignature,
  policy: string,
): Promise<Authenticated> {
  requireValidScope(signature, context.config.s3Protocol, Date.now());
  const secret = secretOf(context, signature);
  const expected = signText(signingKey(secret, signature.credential), policy);
  if (!isSame(expected, signature.signature)) throw failure('SignatureDoesNotMatch');
  return { caller: await callerOf(context, signature), signature, secret };
}

/** A session token comes with the name of the project, which there is only one of, and the key that everybody knows. */
function secretOf({ s3Keys }: Needs, { credential, sessionToken }: SentSignature): string {
  if (sessionToken !== undefined) return s3Keys.anonKey;
  if (!secretsEqual(credential.accessKeyId, s3Keys.accessKeyId)) throw failure('InvalidAccessKeyId');
  return s3Keys.secretAccessKey;
}

async function callerOf({ readCaller }: Needs, { sessionToken }: SentSignature): Promise<Caller> {
  return sessionToken === undefined ? SERVICE_CALLER : readCaller(sessionToken);
}
