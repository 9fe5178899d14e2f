import type { OAuthDescription } from '../description.ts';
import { record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** Slack before OpenID Connect: https://docs.slack.dev/legacy/legacy-sign-in-with-slack */
export const slack: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: ['identity.basic', 'identity.email', 'identity.avatar'],
  endpoints: (base = 'https://slack.com') => ({
    authorization: `${base}/oauth/authorize`,
    token: `${base}/api/oauth.access`,
  }),
  resources: (base = 'https://slack.com') => ({ identity: `${base}/api/users.identity` }),
  profile({ identity }) {
    const user = record(record(identity).user);
    return withId(user.id, (subject) =>
      profileOf(subject, [emailOf(text(user.email), true)], {
        issuer: 'https://slack.com',
        name: text(user.name),
        picture: text(user.image_512) ?? text(user.image_192),
        more: {
          custom_claims: { 'https://slack.com/team_id': text(record(record(identity).team).id) ?? '' },
        },
      }),
    );
  },
};
