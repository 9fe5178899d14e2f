import type { OAuthDescription } from '../description.ts';
import { isTrue, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://developers.zoom.us/docs/integrations/oauth/ */
export const zoom: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: [],
  clientAuthentication: 'basic',
  endpoints: (base = 'https://zoom.us') => ({
    authorization: `${base}/oauth/authorize`,
    token: `${base}/oauth/token`,
  }),
  resources: (base = 'https://api.zoom.us') => ({ user: `${base}/v2/users/me` }),
  profile({ user }) {
    const { id, first_name, last_name, email, verified, pic_url } = record(user);
    return withId(id, (subject) =>
      profileOf(subject, [emailOf(text(email), isTrue(verified))], {
        issuer: 'https://api.zoom.us',
        name: [text(first_name), text(last_name)].filter(Boolean).join(' '),
        picture: text(pic_url),
      }),
    );
  },
};
