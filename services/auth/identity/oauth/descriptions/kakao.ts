import type { OAuthDescription } from '../description.ts';
import { isTrue, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** https://developers.kakao.com/docs/latest/en/kakaologin/rest-api */
export const kakao: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
  idTokens: { issuer: 'https://kauth.kakao.com', hasNonce: true },
  scopes: ['account_email', 'profile_image', 'profile_nickname'],
  endpoints: (base = 'https://kauth.kakao.com') => ({
    authorization: `${base}/oauth/authorize`,
    token: `${base}/oauth/token`,
  }),
  resources: (base = 'https://kapi.kakao.com') => ({ user: `${base}/v2/user/me` }),
  profile({ user }) {
    const { id, kakao_account } = record(user);
    const { email, is_email_valid, is_email_verified, profile } = record(kakao_account);
    const { nickname, profile_image_url } = record(profile);
    const isVerified = isTrue(is_email_valid) && isTrue(is_email_verified);
    return withId(id, (subject) =>
      profileOf(subject, [emailOf(text(email), isVerified)], {
        issuer: 'https://kapi.kakao.com',
        name: text(nickname),
        userName: text(nickname),
        picture: text(profile_image_url),
      }),
    );
  },
};
