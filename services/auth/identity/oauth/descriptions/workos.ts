import type { OAuthDescription } from '../description.ts';
import { record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** The token response contains the profile: https://workos.com/docs/reference/sso */
export const workos: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: [],
  endpoints: (base = 'https://api.workos.com') => ({
    authorization: `${base}/sso/authorize`,
    token: `${base}/sso/token`,
  }),
  resources: () => ({}),
  profile(_resources, token) {
    const profile = record(token.profile);
    const { connection_id, organization_id, first_name, last_name } = profile;
    return withId(profile.id, (subject) =>
      profileOf(subject, [emailOf(text(profile.email), true)], {
        issuer: 'https://api.workos.com',
        name: [text(first_name), text(last_name)].filter(Boolean).join(' '),
        more: {
          custom_claims: {
            connection_id: text(connection_id) ?? '',
            organization_id: text(organization_id) ?? '',
          },
        },
      }),
    );
  },
};
