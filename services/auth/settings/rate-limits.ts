/** Settings of rate limits per client. */
import { headerSetting, rateSetting } from '@greenroom/config';

export const rateLimitTree = {
  /** In lower case. */
  header: headerSetting('GOTRUE_RATE_LIMIT_HEADER', {
    default: undefined,
    description:
      'Request header whose first item identifies the client in rate limits. Unset: the account or client address.',
  }).map((name) => name.toLowerCase()),
  /** Per 5 minutes. */
  otp: rateSetting('GOTRUE_RATE_LIMIT_OTP', {
    default: '30',
    configKey: 'auth.rate_limit.sign_in_sign_ups',
    description: 'Sign-ups, requests for messages, and changes of a user, each per client in 5 minutes.',
  }),
  /** Per 5 minutes. */
  verify: rateSetting('GOTRUE_RATE_LIMIT_VERIFY', {
    default: '30',
    configKey: 'auth.rate_limit.token_verifications',
    description: 'Requests to /verify per client in 5 minutes.',
  }),
  /** Per 5 minutes. */
  tokenRefresh: rateSetting('GOTRUE_RATE_LIMIT_TOKEN_REFRESH', {
    default: '150',
    configKey: 'auth.rate_limit.token_refresh',
    description: 'Requests to /token per client in 5 minutes, except those with a wallet.',
  }),
  /** Per hour. */
  anonymousUsers: rateSetting('GOTRUE_RATE_LIMIT_ANONYMOUS_USERS', {
    default: '30',
    configKey: 'auth.rate_limit.anonymous_users',
    description: 'Anonymous sign-ups per client in an hour.',
  }),
  /** Per 5 minutes. */
  authorize: rateSetting('GREENROOM_RATE_LIMIT_AUTHORIZE', {
    default: '150',
    description:
      'Redirects to providers, returns from them, and requests for consent, each per client in 5 minutes.',
  }),
  /** Per 5 minutes; 0: no limit. */
  failedSignIns: rateSetting('GREENROOM_RATE_LIMIT_FAILED_SIGN_INS', {
    default: '30',
    description:
      'Wrong passwords and codes per client address in 5 minutes, if GOTRUE_RATE_LIMIT_HEADER is unset. 0: no limit.',
  }),
  /** Per 5 minutes. */
  web3: rateSetting('GOTRUE_RATE_LIMIT_WEB3', {
    default: '30',
    configKey: 'auth.rate_limit.web3',
    description: 'Sign-ins with wallets per client in 5 minutes.',
  }),
};
