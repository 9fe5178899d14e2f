import type { OAuthDescription } from '../description.ts';
import { list, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://fly.io/docs/reference/extensions_api/#single-sign-on-flow */
export const fly: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: ['read'],
  endpoints: (base = 'https://api.fly.io') => ({
    authorization: `${base}/oauth/authorize`,
    token: `${base}/oauth/token`,
  }),
  resources: (base = 'https://api.fly.io') => ({ user: `${base}/oauth/token/info` }),
  profile({ user }) {
    const { user_id, user_name, email, organizations } = record(user);
    return withId(user_id, (subject) =>
      profileOf(subject, [emailOf(text(email), true)], {
        issuer: 'https://api.fly.io',
        name: text(user_name),
        more: { custom_claims: { organizations: list(organizations) } },
      }),
    );
  },
};
