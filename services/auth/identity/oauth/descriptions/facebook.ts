import type { OAuthDescription } from '../description.ts';
import { record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://developers.facebook.com/docs/facebook-login/ */
export const facebook: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  idTokens: { issuer: 'https://www.facebook.com', hasNonce: false },
  scopes: ['email'],
  endpoints: (base) => ({
    authorization: `${base ?? 'https://www.facebook.com'}/dialog/oauth`,
    token: `${base ?? 'https://graph.facebook.com'}/oauth/access_token`,
  }),
  resources: (base = 'https://graph.facebook.com') => ({
    user: `${base}/me?fields=email,first_name,last_name,name,picture`,
  }),
  profile({ user }) {
    const { id, email, name, picture } = record(user);
    return withId(id, (subject) =>
      // Facebook returns confirmed addresses only.
      profileOf(subject, [emailOf(text(email), true)], {
        issuer: 'https://graph.facebook.com',
        name: text(name),
        picture: text(record(record(picture).data).url),
      }),
    );
  },
};
