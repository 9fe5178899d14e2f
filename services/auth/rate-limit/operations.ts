/** The rate of each operation that is limited per client. */

import { type BucketRule, type ClientBuckets, createClientBuckets } from '@greenroom/limits';
import type { LimitedOperation } from '../contracts/rate-limits.ts';
import type { AuthConfig } from '../settings/settings.ts';

const MINUTE = 60;
const FIVE_MINUTES = 300;
const HOUR = 3600;
/** GoTrue's burst, which is independent of the rate. */
const BURST = 30;

type Settings = Pick<AuthConfig, 'rateLimits' | 'factors' | 'passkeys' | 'oauthServer' | 'saml'>;

/** The rules of all operations. Operations with equal rules still count separately. */
function rulesOf({
  rateLimits,
  factors,
  passkeys,
  oauthServer,
  saml,
}: Settings): Record<LimitedOperation, BucketRule> {
  const sending = per(rateLimits.otp, FIVE_MINUTES);
  const tokens = per(rateLimits.tokenRefresh, FIVE_MINUTES);
  const redirects = per(rateLimits.authorize, FIVE_MINUTES);
  const passkeySteps = per(passkeys.attempts, FIVE_MINUTES);
  const factorSteps = per(factors.attempts, MINUTE);
  return {
    signup: sending,
    anonymous: {
      perSecond: rateLimits.anonymousUsers / HOUR,
      burst: Math.floor(rateLimits.anonymousUsers),
    },
    token: tokens,
    captcha: tokens,
    user: sending,
    otp: sending,
    magiclink: sending,
    recover: sending,
    resend: sending,
    reauthenticate: sending,
    verify: per(rateLimits.verify, FIVE_MINUTES),
    enroll: factorSteps,
    factor: factorSteps,
    passkey: passkeySteps,
    passkeyVerify: passkeySteps,
    passkeyRegistration: passkeySteps,
    web3: per(rateLimits.web3, FIVE_MINUTES),
    authorize: redirects,
    callback: redirects,
    oauthAuthorize: redirects,
    oauthClient: per(oauthServer.registrations, FIVE_MINUTES),
    sso: per(saml.signIns, FIVE_MINUTES),
    assertion: per(saml.assertions, FIVE_MINUTES),
  };
}

/** Creates full token buckets for each operation. */
export function createOperationBuckets(settings: Settings): Record<LimitedOperation, ClientBuckets> {
  const rules = Object.entries(rulesOf(settings));
  const buckets = rules.map(([operation, rule]) => [operation, createClientBuckets(rule)]);
  return Object.fromEntries(buckets) as Record<LimitedOperation, ClientBuckets>;
}

function per(count: number, seconds: number): BucketRule {
  return { perSecond: count / seconds, burst: BURST };
}
