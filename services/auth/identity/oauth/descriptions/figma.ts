import type { OAuthDescription } from '../description.ts';
import { record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://developers.figma.com/docs/rest-api/authentication/ */
export const figma: OAuthDescription = {
  kind: 'oauth2',
  pkce: true,
  scopes: ['current_user:read'],
  clientAuthentication: 'basic',
  endpoints: (base) => ({
    authorization: `${base ?? 'https://www.figma.com'}/oauth`,
    token: `${base ?? 'https://api.figma.com'}/v1/oauth/token`,
  }),
  resources: (base = 'https://api.figma.com') => ({ user: `${base}/v1/me` }),
  profile({ user }) {
    const { id, email, handle, img_url } = record(user);
    return withId(id, (subject) =>
      profileOf(subject, [emailOf(text(email), true)], {
        issuer: 'https://api.figma.com',
        name: text(handle),
        picture: text(img_url),
      }),
    );
  },
};
