import type { OAuthDescription } from '../description.ts';
import { record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code */
export const x: OAuthDescription = {
  kind: 'oauth2',
  pkce: true,
  scopes: ['users.email', 'users.read', 'tweet.read', 'offline.access'],
  clientAuthentication: 'basic',
  endpoints: (base) => ({
    authorization: `${base ?? 'https://x.com'}/i/oauth2/authorize`,
    token: `${base ?? 'https://api.x.com'}/2/oauth2/token`,
  }),
  resources: (base = 'https://api.x.com') => ({
    response: `${base}/2/users/me?user.fields=confirmed_email,profile_image_url,username,name`,
  }),
  profile({ response }) {
    const user = record(record(response).data);
    return withId(user.id, (subject) =>
      profileOf(subject, [emailOf(text(user.confirmed_email), true)], {
        issuer: 'https://api.x.com',
        name: text(user.name),
        userName: text(user.username),
        picture: text(user.profile_image_url),
      }),
    );
  },
};
