import { describe, expect, it } from 'vitest';
import { findSettings } from './find-settings.ts';
import { settingOf } from './for-tests.ts';

const SETTINGS = [
  settingOf('GOTRUE_URI_ALLOW_LIST', { key: 'auth.additional_redirect_urls' }),
  settingOf('GOTRUE_JWT_EXP', { key: 'auth.jwt_expiry', description: 'Lifetime of access tokens.' }),
  settingOf('GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID', { key: 'auth.external.google.client_id' }),
  settingOf('GREENROOM_REDIRECTS'),
];
const find = (q: string, language: 'en' | 'de' = 'en', limit = 8) =>
  findSettings(SETTINGS, q, { language, limit });

describe('findSettings', () => {
  it.each([
    ['a key', 'jwt expiry', ['auth.jwt_expiry']],
    ['a variable', 'gotrue_jwt', ['auth.jwt_expiry']],
    ['the inside of a key', 'pir', ['auth.jwt_expiry']],
    ['the name of a section', 'rate', ['Rate limits']],
    ['the name of a section in another language', 'ratenbegrenzung', ['Rate limits']],
    ['a word of a description', 'lifetime', []],
    ['fewer than three letters inside of a key', 'dd', []],
    ['no word', '??', []],
  ])('finds by %s: %s', (_name, query, labels) => {
    expect(find(query).map(({ label }) => label)).toEqual(labels);
  });

  it('returns labels that begin with the words first, and no more than the limit', () => {
    expect(find('redirect').map(({ label }) => label)).toEqual([
      'Redirects',
      'auth.additional_redirect_urls',
      'GREENROOM_REDIRECTS',
    ]);
    expect(find('redirect', 'en', 2)).toHaveLength(2);
  });

  it('leads to the setting in its section, also if the section hides it by default', () => {
    expect(find('jwt expiry')[0]).toEqual({
      to: '/admin/settings?section=sign-in#GOTRUE_JWT_EXP',
      label: 'auth.jwt_expiry',
      section: 'Sign-in',
      words: ['GOTRUE_JWT_EXP'],
    });
    expect(find('google client')[0]?.to).toBe(
      '/admin/settings?section=providers&all=1#GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID',
    );
  });

  it('leads to a section, with its name in the language of the page', () => {
    expect(find('rate', 'de')[0]).toMatchObject({ to: '/admin/settings?section=limits', section: '' });
    expect(find('ratenbegrenzung', 'en')[0]?.label).toBe('Rate limits');
  });
});
