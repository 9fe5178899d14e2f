/** Sample responses of the APIs of OAuth providers. */
import type { Resources } from '../../description.ts';

/** Responses from the documentation of each provider of plain OAuth 2.0, by name, with the expected profile. */
export const SAMPLES: Record<
  string,
  { resources: Resources; token?: object; subject: string; emails: string[]; name?: string; picture?: string }
> = {
  bitbucket: {
    resources: {
      user: { uuid: '{u}', display_name: 'Ada', username: 'ada', links: { avatar: { href: 'https://x/a' } } },
      emails: {
        values: [
          { email: 'b@x.co', is_primary: false, is_confirmed: false },
          { email: 'a@x.co', is_primary: true, is_confirmed: true },
        ],
      },
    },
    subject: '{u}',
    emails: ['b@x.co', 'a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  discord: {
    resources: {
      user: {
        id: '80351110224678912',
        username: 'ada',
        discriminator: '0',
        avatar: 'a_1',
        email: 'a@x.co',
        verified: true,
      },
    },
    subject: '80351110224678912',
    emails: ['a@x.co verified primary'],
    name: 'ada#0',
    picture: 'https://cdn.discordapp.com/avatars/80351110224678912/a_1.gif',
  },
  facebook: {
    resources: { user: { id: '1', email: 'a@x.co', name: 'Ada', picture: { data: { url: 'https://x/a' } } } },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  figma: {
    resources: { user: { id: '1', email: 'a@x.co', handle: 'Ada', img_url: 'https://x/a' } },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  fly: {
    resources: {
      user: { user_id: 'u', user_name: 'Ada', email: 'a@x.co', organizations: [{ id: 'o', role: 'admin' }] },
    },
    subject: 'u',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
  },
  github: {
    resources: {
      user: { id: 583231, login: 'ada', name: 'Ada', avatar_url: 'https://x/a', email: null },
      emails: [
        { email: 'a@x.co', primary: true, verified: true },
        { email: 'b@x.co', primary: false, verified: false },
      ],
    },
    subject: '583231',
    emails: ['a@x.co verified primary', 'b@x.co'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  gitlab: {
    resources: {
      user: {
        id: 1,
        name: 'Ada',
        username: 'ada',
        avatar_url: 'https://x/a',
        email: 'a@x.co',
        confirmed_at: '2020-01-01',
      },
      emails: [
        { id: 1, email: 'a@x.co', confirmed_at: null },
        { id: 2, email: 'b@x.co', confirmed_at: null },
      ],
    },
    subject: '1',
    emails: ['a@x.co verified primary', 'b@x.co'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  kakao: {
    resources: {
      user: {
        id: 1,
        kakao_account: {
          email: 'a@x.co',
          is_email_valid: true,
          is_email_verified: true,
          profile: { nickname: 'Ada', profile_image_url: 'https://x/a' },
        },
      },
    },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  linkedin: {
    resources: {
      user: {
        id: 'u',
        firstName: { localized: { en_US: 'Ada' }, preferredLocale: { country: 'US', language: 'en' } },
        lastName: { localized: { en_US: 'Lovelace' } },
        profilePicture: { 'displayImage~': { elements: [{ identifiers: [{ identifier: 'https://x/a' }] }] } },
      },
      emails: { elements: [{ 'handle~': { emailAddress: 'a@x.co' } }] },
    },
    subject: 'u',
    emails: ['a@x.co verified primary'],
    name: 'Ada Lovelace',
    picture: 'https://x/a',
  },
  notion: {
    resources: {
      user: {
        bot: {
          owner: { user: { id: 'u', name: 'Ada', avatar_url: 'https://x/a', person: { email: 'a@x.co' } } },
        },
      },
    },
    subject: 'u',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  slack: {
    resources: {
      identity: {
        ok: true,
        user: { id: 'U', name: 'Ada', email: 'a@x.co', image_512: 'https://x/a' },
        team: { id: 'T' },
      },
    },
    subject: 'U',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  snapchat: {
    resources: {
      response: { data: { me: { externalId: 'u', displayName: 'Ada', bitmoji: { avatar: 'https://x/a' } } } },
    },
    subject: 'u',
    emails: [],
    name: 'Ada',
    picture: 'https://x/a',
  },
  spotify: {
    resources: {
      user: {
        id: 'u',
        email: 'a@x.co',
        display_name: 'Ada',
        images: [{ url: 'https://x/small' }, { url: 'https://x/a' }],
      },
    },
    subject: 'u',
    emails: ['a@x.co primary'],
    name: 'Ada',
    picture: 'https://x/a',
  },
  twitch: {
    resources: {
      users: {
        data: [
          { id: '1', login: 'ada', display_name: 'Ada', email: 'a@x.co', profile_image_url: 'https://x/a' },
        ],
      },
    },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'ada',
    picture: 'https://x/a',
  },
  twitter: x(),
  x: x(),
  workos: {
    resources: {},
    token: {
      profile: { id: 'prof', email: 'a@x.co', first_name: 'Ada', last_name: 'Lovelace', connection_id: 'c' },
    },
    subject: 'prof',
    emails: ['a@x.co verified primary'],
    name: 'Ada Lovelace',
  },
  zoom: {
    resources: {
      user: {
        id: 'u',
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'a@x.co',
        verified: 1,
        pic_url: 'https://x/a',
      },
    },
    subject: 'u',
    emails: ['a@x.co verified primary'],
    name: 'Ada Lovelace',
    picture: 'https://x/a',
  },
};

function x() {
  return {
    resources: {
      response: {
        data: {
          id: '1',
          name: 'Ada',
          username: 'ada',
          confirmed_email: 'a@x.co',
          profile_image_url: 'https://x/a',
        },
      },
    },
    subject: '1',
    emails: ['a@x.co verified primary'],
    name: 'Ada',
    picture: 'https://x/a',
  };
}
