import type { OAuthDescription } from '../description.ts';
import { list, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://dev.twitch.tv/docs/authentication/ */
export const twitch: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: ['user:read:email'],
  endpoints: (base = 'https://id.twitch.tv') => ({
    authorization: `${base}/oauth2/authorize`,
    token: `${base}/oauth2/token`,
  }),
  resources: (base = 'https://api.twitch.tv') => ({ users: `${base}/helix/users` }),
  headers: (clientId) => ({ 'client-id': clientId }),
  profile({ users }) {
    const user = record(list(record(users).data)[0]);
    return withId(user.id, (subject) =>
      profileOf(subject, [emailOf(text(user.email), true)], {
        issuer: 'https://api.twitch.tv',
        name: text(user.login),
        userName: text(user.display_name),
        picture: text(user.profile_image_url),
      }),
    );
  },
};
