import type { OAuthDescription } from '../description.ts';
import { list, record, text } from '../json.ts';
import { emailOf, profileOf } from '../profile.ts';
import { withId } from './with-id.ts';

/** LinkedIn before OpenID Connect: https://learn.microsoft.com/linkedin/shared/authentication/authorization-code-flow */
export const linkedin: OAuthDescription = {
  kind: 'oauth2',
  pkce: false,
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

/** A localized text in the language that the user prefers. */
function localized(value: unknown): string | undefined {
  const { localized: texts, preferredLocale } = record(value);
  const { language, country } = record(preferredLocale);
  return text(record(texts)[`${text(language)}_${text(country)}`]) ?? text(Object.values(record(texts))[0]);
}
