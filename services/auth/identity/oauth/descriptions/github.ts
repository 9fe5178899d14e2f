import type { OAuthDescription } from '../description.ts';
import { isTrue, list, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://docs.github.com/apps/oauth-apps; GitHub Enterprise Server has its API below its own URL. */
export const github: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: ['user:email'],
  endpoints: (base = 'https://github.com') => ({
    authorization: `${base}/login/oauth/authorize`,
    token: `${base}/login/oauth/access_token`,
  }),
  resources(base) {
    const api = base === undefined ? 'https://api.github.com' : `${base}/api/v3`;
    return { user: `${api}/user`, emails: `${api}/user/emails` };
  },
  profile({ user, emails }) {
    const { id, login, name, avatar_url } = record(user);
    const addresses = list(emails).map((item) => {
      const { email, verified, primary } = record(item);
      return emailOf(text(email), isTrue(verified), isTrue(primary));
    });
    return withId(id, (subject) =>
      profileOf(subject, addresses, {
        issuer: 'https://api.github.com',
        name: text(name),
        userName: text(login),
        picture: text(avatar_url),
      }),
    );
  },
};
