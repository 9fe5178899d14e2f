/** Providers of plain OAuth 2.0, each with its own API, in the order of their names. */
import type { OAuthDescription } from '../description.ts';
import { identifier, list, record, text, truth } from '../json.ts';
import { emailOf, type Profile, profileOf } from '../profile.ts';

const common = { kind: 'oauth2', pkce: false } as const;

/** A profile of somebody who has an id. */
function withId(id: unknown, make: (subject: string) => Profile): Profile | undefined {
  const subject = identifier(id);
  return subject === undefined ? undefined : make(subject);
}

/** https://developer.atlassian.com/cloud/bitbucket/oauth-2/ */
const bitbucket: OAuthDescription = {
  ...common,
  scopes: ['account', 'email'],
  endpoints: (base = 'https://bitbucket.org') => ({
    authorization: `${base}/site/oauth2/authorize`,
    token: `${base}/site/oauth2/access_token`,
  }),
  resources: (base = 'https://api.bitbucket.org') => ({
    user: `${base}/2.0/user`,
    emails: `${base}/2.0/user/emails`,
  }),
  profile({ user, emails }) {
    const { uuid, display_name, username, links } = record(user);
    const addresses = list(record(emails).values).map((item) => {
      const { email, is_confirmed, is_primary } = record(item);
      return emailOf(text(email), truth(is_confirmed), truth(is_primary));
    });
    return withId(uuid, (id) =>
      profileOf(id, addresses, {
        issuer: 'https://api.bitbucket.org',
        name: text(display_name),
        userName: text(username),
        picture: text(record(record(links).avatar).href),
      }),
    );
  },
};

/** https://discord.com/developers/docs/topics/oauth2 */
const discord: OAuthDescription = {
  ...common,
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
      profileOf(subject, [emailOf(text(email), truth(verified))], {
        issuer: 'https://discord.com',
        name: `${text(username) ?? ''}#${text(discriminator) ?? '0'}`,
        userName: text(username),
        picture: image && `https://cdn.discordapp.com/avatars/${subject}/${image}.${type}`,
        more: { custom_claims: { global_name: text(global_name) ?? '' } },
      }),
    );
  },
};

/** https://developers.facebook.com/docs/facebook-login/ */
const facebook: OAuthDescription = {
  ...common,
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
      // Facebook tells confirmed addresses only.
      profileOf(subject, [emailOf(text(email), true)], {
        issuer: 'https://graph.facebook.com',
        name: text(name),
        picture: text(record(record(picture).data).url),
      }),
    );
  },
};

/** https://developers.figma.com/docs/rest-api/authentication/ */
const figma: OAuthDescription = {
  ...common,
  scopes: ['current_user:read'],
  pkce: true,
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

/** https://fly.io/docs/reference/extensions_api/#single-sign-on-flow */
const fly: OAuthDescription = {
  ...common,
  scopes: ['read'],
  endpoints: (base = 'https://api.fly.io') => ({
    authorization: `${base}/oauth/authorize`,
    token: `${base}/oauth/token`,
  }),
  resources: (base = 'https://api.fly.io') => ({ user: `${base}/oauth/token/info` }),
  profile({ user }) {
    const { user_id, user_name, email, organizations } = record(user);
    return withId(user_id, (subject) =>
      profileOf(subject, [emailOf(text(email), true)], {
        issuer: 'https://api.fly.io',
        name: text(user_name),
        more: { custom_claims: { organizations: list(organizations) } },
      }),
    );
  },
};

/** https://docs.github.com/apps/oauth-apps; servers of companies have the API below their own URL. */
const github: OAuthDescription = {
  ...common,
  scopes: ['user:email'],
  endpoints: (base = 'https://github.com') => ({
    authorization: `${base}/login/oauth/authorize`,
    token: `${base}/login/oauth/access_token`,
  }),
  resources(base) {
    const api = base === undefined ? 'https://api.github.com' : `${base}/api/v3`;
    return { user: `${api}/user`, emails: `${api}/user/emails` };
  },
  profile({ user, emails }) {
    const { id, login, name, avatar_url } = record(user);
    const addresses = list(emails).map((item) => {
      const { email, verified, primary } = record(item);
      return emailOf(text(email), truth(verified), truth(primary));
    });
    return withId(id, (subject) =>
      profileOf(subject, addresses, {
        issuer: 'https://api.github.com',
        name: text(name),
        userName: text(login),
        picture: text(avatar_url),
      }),
    );
  },
};

/** https://docs.gitlab.com/api/oauth2/ */
const gitlab: OAuthDescription = {
  ...common,
  scopes: ['read_user'],
  pkce: true,
  endpoints: (base = 'https://gitlab.com') => ({
    authorization: `${base}/oauth/authorize`,
    token: `${base}/oauth/token`,
  }),
  resources: (base = 'https://gitlab.com') => ({
    user: `${base}/api/v4/user`,
    emails: `${base}/api/v4/user/emails`,
  }),
  profile({ user, emails }) {
    const { id, name, username, avatar_url, email, confirmed_at } = record(user);
    const others = list(emails).map((item) => {
      const other = record(item);
      return text(other.email) === text(email)
        ? undefined
        : emailOf(text(other.email), text(other.confirmed_at) !== undefined, false);
    });
    return withId(id, (subject) =>
      profileOf(subject, [emailOf(text(email), text(confirmed_at) !== undefined), ...others], {
        issuer: 'https://gitlab.com',
        name: text(name),
        userName: text(username),
        picture: text(avatar_url),
      }),
    );
  },
};

/** https://developers.kakao.com/docs/latest/en/kakaologin/rest-api */
const kakao: OAuthDescription = {
  ...common,
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
    const isVerified = truth(is_email_valid) && truth(is_email_verified);
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

/** LinkedIn before OpenID Connect: https://learn.microsoft.com/linkedin/shared/authentication/authorization-code-flow */
const linkedin: OAuthDescription = {
  ...common,
  scopes: ['r_emailaddress', 'r_liteprofile'],
  endpoints: (base = 'https://www.linkedin.com') => ({
    authorization: `${base}/oauth/v2/authorization`,
    token: `${base}/oauth/v2/accessToken`,
  }),
  resources: (base = 'https://api.linkedin.com') => ({
    user: `${base}/v2/me?projection=(id,firstName,lastName,profilePicture(displayImage~:playableStreams))`,
    emails: `${base}/v2/emailAddress?q=members&projection=(elements*(handle~))`,
  }),
  profile({ user, emails }) {
    const { id, firstName, lastName, profilePicture } = record(user);
    const { elements } = record(emails);
    const email = text(record(record(list(elements)[0])['handle~']).emailAddress);
    const images = list(record(record(profilePicture)['displayImage~']).elements);
    const picture = text(record(list(record(images[0]).identifiers)[0]).identifier);
    const name = [localized(firstName), localized(lastName)].filter(Boolean).join(' ');
    return withId(id, (subject) =>
      profileOf(subject, [emailOf(email, true)], { issuer: 'https://api.linkedin.com', name, picture }),
    );
  },
};

/** A text of LinkedIn in the language that its owner prefers. */
function localized(value: unknown): string | undefined {
  const { localized: texts, preferredLocale } = record(value);
  const { language, country } = record(preferredLocale);
  return text(record(texts)[`${text(language)}_${text(country)}`]) ?? text(Object.values(record(texts))[0]);
}

/** https://developers.notion.com/docs/authorization */
const notion: OAuthDescription = {
  ...common,
  scopes: [],
  parameters: { owner: 'user' },
  clientAuthentication: 'basic',
  endpoints: (base = 'https://api.notion.com') => ({
    authorization: `${base}/v1/oauth/authorize`,
    token: `${base}/v1/oauth/token`,
  }),
  resources: (base = 'https://api.notion.com') => ({ user: `${base}/v1/users/me` }),
  headers: () => ({ 'notion-version': '2021-08-16' }),
  profile({ user }) {
    const owner = record(record(record(record(user).bot).owner).user);
    return withId(owner.id, (subject) =>
      profileOf(subject, [emailOf(text(record(owner.person).email), true)], {
        issuer: 'https://api.notion.com',
        name: text(owner.name),
        userName: text(owner.name),
        picture: text(owner.avatar_url),
      }),
    );
  },
};

/** Slack before OpenID Connect: https://docs.slack.dev/legacy/legacy-sign-in-with-slack */
const slack: OAuthDescription = {
  ...common,
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

/** Tells no email address: https://developers.snap.com/snap-kit/login-kit/ */
const snapchat: OAuthDescription = {
  ...common,
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
    answer: `${base}/v1/me?query=${encodeURIComponent('{me{externalId displayName bitmoji{avatar}}}')}`,
  }),
  profile({ answer }) {
    const { externalId, displayName, bitmoji } = record(record(record(answer).data).me);
    return withId(externalId, (subject) =>
      profileOf(subject, [], {
        issuer: 'https://accounts.snapchat.com',
        name: text(displayName),
        picture: text(record(bitmoji).avatar),
      }),
    );
  },
};

/** https://developer.spotify.com/documentation/web-api/tutorials/code-flow */
const spotify: OAuthDescription = {
  ...common,
  scopes: ['user-read-email'],
  endpoints: (base = 'https://accounts.spotify.com') => ({
    authorization: `${base}/authorize`,
    token: `${base}/api/token`,
  }),
  resources: (base = 'https://api.spotify.com') => ({ user: `${base}/v1/me` }),
  profile({ user }) {
    const { id, email, display_name, images } = record(user);
    return withId(id, (subject) =>
      // Spotify does not check addresses.
      profileOf(subject, [emailOf(text(email), false)], {
        issuer: 'https://api.spotify.com',
        name: text(display_name),
        picture: text(record(list(images).at(-1)).url),
      }),
    );
  },
};

/** https://dev.twitch.tv/docs/authentication/ */
const twitch: OAuthDescription = {
  ...common,
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

/** https://docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code */
const x: OAuthDescription = {
  ...common,
  scopes: ['users.email', 'users.read', 'tweet.read', 'offline.access'],
  pkce: true,
  clientAuthentication: 'basic',
  endpoints: (base) => ({
    authorization: `${base ?? 'https://x.com'}/i/oauth2/authorize`,
    token: `${base ?? 'https://api.x.com'}/2/oauth2/token`,
  }),
  resources: (base = 'https://api.x.com') => ({
    answer: `${base}/2/users/me?user.fields=confirmed_email,profile_image_url,username,name`,
  }),
  profile({ answer }) {
    const user = record(record(answer).data);
    return withId(user.id, (subject) =>
      profileOf(subject, [emailOf(text(user.confirmed_email), true)], {
        issuer: 'https://api.x.com',
        name: text(user.name),
        userName: text(user.username),
        picture: text(user.profile_image_url),
      }),
    );
  },
};

/** The profile comes with the token: https://workos.com/docs/reference/sso */
const workos: OAuthDescription = {
  ...common,
  scopes: [],
  endpoints: (base = 'https://api.workos.com') => ({
    authorization: `${base}/sso/authorize`,
    token: `${base}/sso/token`,
  }),
  resources: () => ({}),
  profile(_resources, token) {
    const person = record(token.profile);
    const { connection_id, organization_id, first_name, last_name } = person;
    return withId(person.id, (subject) =>
      profileOf(subject, [emailOf(text(person.email), true)], {
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

/** https://developers.zoom.us/docs/integrations/oauth/ */
const zoom: OAuthDescription = {
  ...common,
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
      profileOf(subject, [emailOf(text(email), truth(verified))], {
        issuer: 'https://api.zoom.us',
        name: [text(first_name), text(last_name)].filter(Boolean).join(' '),
        picture: text(pic_url),
      }),
    );
  },
};

/** By their names. X has one way to sign in with OAuth 2.0, under its old name and its new one. */
export const oauthProviders = {
  bitbucket,
  discord,
  facebook,
  figma,
  fly,
  github,
  gitlab,
  kakao,
  linkedin,
  notion,
  slack,
  snapchat,
  spotify,
  twitch,
  twitter: x,
  x,
  workos,
  zoom,
};
