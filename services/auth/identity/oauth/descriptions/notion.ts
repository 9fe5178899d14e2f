import type { OAuthDescription } from '../description.ts';
import { record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://developers.notion.com/docs/authorization */
export const notion: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: [],
  parameters: { owner: 'user' },
  clientAuthentication: 'basic',
  endpoints: (base = 'https://api.notion.com') => ({
    authorization: `${base}/v1/oauth/authorize`,
    token: `${base}/v1/oauth/token`,
  }),
  resources: (base = 'https://api.notion.com') => ({ user: `${base}/v1/users/me` }),
  headers: () => ({ 'notion-version': '2021-08-16' }),
  profile({ user }) {
    const owner = record(record(record(record(user).bot).owner).user);
    return withId(owner.id, (subject) =>
      profileOf(subject, [emailOf(text(record(owner.person).email), true)], {
        issuer: 'https://api.notion.com',
        name: text(owner.name),
        userName: text(owner.name),
        picture: text(owner.avatar_url),
      }),
    );
  },
};
