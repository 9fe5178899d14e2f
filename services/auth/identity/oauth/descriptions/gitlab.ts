import type { OAuthDescription } from '../description.ts';
import { list, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://docs.gitlab.com/api/oauth2/ */
export const gitlab: OAuthDescription = {
  kind: 'oauth2',
  pkce: true,
  scopes: ['read_user'],
  endpoints: (base = 'https://gitlab.com') => ({
    authorization: `${base}/oauth/authorize`,
    token: `${base}/oauth/token`,
  }),
  resources: (base = 'https://gitlab.com') => ({
    user: `${base}/api/v4/user`,
    emails: `${base}/api/v4/user/emails`,
  }),
  profile({ user, emails }) {
    const { id, name, username, avatar_url, email, confirmed_at } = record(user);
    const others = list(emails).map((item) => {
      const other = record(item);
      return text(other.email) === text(email)
        ? undefined
        : emailOf(text(other.email), text(other.confirmed_at) !== undefined, false);
    });
    return withId(id, (subject) =>
      profileOf(subject, [emailOf(text(email), text(confirmed_at) !== undefined), ...others], {
        issuer: 'https://gitlab.com',
        name: text(name),
        userName: text(username),
        picture: text(avatar_url),
      }),
    );
  },
};
