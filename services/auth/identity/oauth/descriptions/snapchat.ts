import type { OAuthDescription } from '../description.ts';
import { record, text } from '../json.ts';
import { profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** Returns no email address: https://developers.snap.com/snap-kit/login-kit/ */
export const snapchat: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  idTokens: { issuer: 'https://accounts.snapchat.com', hasNonce: true },
  scopes: [
    'https://auth.snapchat.com/oauth2/api/user.external_id',
    'https://auth.snapchat.com/oauth2/api/user.display_name',
    'https://auth.snapchat.com/oauth2/api/user.bitmoji.avatar',
  ],
  endpoints: (base = 'https://accounts.snapchat.com') => ({
    authorization: `${base}/accounts/oauth2/auth`,
    token: `${base}/accounts/oauth2/token`,
  }),
  resources: (base = 'https://kit.snapchat.com') => ({
    response: `${base}/v1/me?query=${encodeURIComponent('{me{externalId displayName bitmoji{avatar}}}')}`,
  }),
  profile({ response }) {
    const { externalId, displayName, bitmoji } = record(record(record(response).data).me);
    return withId(externalId, (subject) =>
      profileOf(subject, [], {
        issuer: 'https://accounts.snapchat.com',
        name: text(displayName),
        picture: text(record(bitmoji).avatar),
      }),
    );
  },
};
