/** Settings of rate limits per client. */
import { headerSetting, rateSetting } from '@greenroom/config';

export const rateLimitTree = {
  /** In lower case. */
  header: headerSetting('GOTRUE_RATE_LIMIT_HEADER', {
    default: undefined,
    description:
      'Header whose first item identifies the client of rate limits. Unset: the account or client address.',
  }).map((name) => name.toLowerCase()),
  /** Per 5 minutes. */
  otp: rateSetting('GOTRUE_RATE_LIMIT_OTP', {
    default: '30',
    description: 'Sign-ups, requests for messages, and changes of a user, in 5 minutes.',
  }),
  /** Per 5 minutes. */
  verify: rateSetting('GOTRUE_RATE_LIMIT_VERIFY', {
    default: '30',
    description: 'Calls of /verify in 5 minutes.',
  }),
  /** Per 5 minutes. */
  tokenRefresh: rateSetting('GOTRUE_RATE_LIMIT_TOKEN_REFRESH', {
    default: '150',
    description: 'Sign-ins and refreshes in 5 minutes.',
  }),
  /** Per hour. */
  anonymousUsers: rateSetting('GOTRUE_RATE_LIMIT_ANONYMOUS_USERS', {
    default: '30',
    description: 'Anonymous sign-ups in an hour.',
  }),
  /** Per 5 minutes. */
  authorize: rateSetting('GREENROOM_RATE_LIMIT_AUTHORIZE', {
    default: '150',
    description:
      'Redirects to a provider, returns from one, and requests of applications for consent, in 5 minutes.',
  }),
  /** Per 5 minutes; 0: no limit. */
  failedSignIns: rateSetting('GREENROOM_RATE_LIMIT_FAILED_SIGN_INS', {
    default: '30',
    description:
      'Wrong guesses of one client address in 5 minutes, where GOTRUE_RATE_LIMIT_HEADER is unset; 0: no limit.',
  }),
  /** Per 5 minutes. */
  web3: rateSetting('GOTRUE_RATE_LIMIT_WEB3', {
    default: '30',
    description: 'Sign-ins with wallets in 5 minutes.',
  }),
};
