import type { OAuthDescription } from '../description.ts';
import { isTrue, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://discord.com/developers/docs/topics/oauth2 */
export const discord: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  scopes: ['email', 'identify'],
  endpoints: (base = 'https://discord.com') => ({
    authorization: `${base}/api/oauth2/authorize`,
    token: `${base}/api/oauth2/token`,
  }),
  resources: (base = 'https://discord.com') => ({ user: `${base}/api/users/@me` }),
  profile({ user }) {
    const { id, username, global_name, discriminator, avatar, email, verified } = record(user);
    const image = text(avatar);
    const type = image?.startsWith('a_') ? 'gif' : 'png';
    return withId(id, (subject) =>
      profileOf(subject, [emailOf(text(email), isTrue(verified))], {
        issuer: 'https://discord.com',
        name: `${text(username) ?? ''}#${text(discriminator) ?? '0'}`,
        userName: text(username),
        picture: image && `https://cdn.discordapp.com/avatars/${subject}/${image}.${type}`,
        more: { custom_claims: { global_name: text(global_name) ?? '' } },
      }),
    );
  },
};
