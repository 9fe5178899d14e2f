import type { OAuthDescription } from '../description.ts';
import { isTrue, list, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://developer.atlassian.com/cloud/bitbucket/oauth-2/ */
export const bitbucket: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: ['account', 'email'],
  endpoints: (base = 'https://bitbucket.org') => ({
    authorization: `${base}/site/oauth2/authorize`,
    token: `${base}/site/oauth2/access_token`,
  }),
  resources: (base = 'https://api.bitbucket.org') => ({
    user: `${base}/2.0/user`,
    emails: `${base}/2.0/user/emails`,
  }),
  profile({ user, emails }) {
    const { uuid, display_name, username, links } = record(user);
    const addresses = list(record(emails).values).map((item) => {
      const { email, is_confirmed, is_primary } = record(item);
      return emailOf(text(email), isTrue(is_confirmed), isTrue(is_primary));
    });
    return withId(uuid, (id) =>
      profileOf(id, addresses, {
        issuer: 'https://api.bitbucket.org',
        name: text(display_name),
        userName: text(username),
        picture: text(record(record(links).avatar).href),
      }),
    );
  },
};
