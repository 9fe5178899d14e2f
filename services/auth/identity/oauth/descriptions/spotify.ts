import type { OAuthDescription } from '../description.ts';
import { list, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://developer.spotify.com/documentation/web-api/tutorials/code-flow */
export const spotify: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: ['user-read-email'],
  endpoints: (base = 'https://accounts.spotify.com') => ({
    authorization: `${base}/authorize`,
    token: `${base}/api/token`,
  }),
  resources: (base = 'https://api.spotify.com') => ({ user: `${base}/v1/me` }),
  profile({ user }) {
    const { id, email, display_name, images } = record(user);
    return withId(id, (subject) =>
      // Spotify does not verify addresses.
      profileOf(subject, [emailOf(text(email), false)], {
        issuer: 'https://api.spotify.com',
        name: text(display_name),
        picture: text(record(list(images).at(-1)).url),
      }),
    );
  },
};
