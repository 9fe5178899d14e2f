import { describe, expect, it } from 'vitest';
import { settingOf } from './for-tests.ts';
import { readSettingsSelection, sectionOf, selectSettings, settingsPath } from './sections.ts';
import { textOfValue, valueOfText } from './setting.ts';

describe('valueOfText', () => {
  it.each([
    ['boolean', 'true', true],
    ['boolean', 'yes', undefined],
    ['number', ' 12 ', 12],
    ['number', '', undefined],
    ['number', '1e999', undefined],
    ['list', ' a \n\nb\r\n', ['a', 'b']],
    ['text', 'a\r\nb', 'a\nb'],
    ['choice', 'x', 'x'],
  ] as const)('converts as %s %j to %j', (kind, text, value) => {
    expect(valueOfText(kind, text)).toEqual(value);
  });

  it('parses the text of a list', () => {
    expect(valueOfText('list', textOfValue(['a', 'b']))).toEqual(['a', 'b']);
  });
});

describe('sectionOf', () => {
  it.each([
    ['GOTRUE_SITE_URL', 'redirects'],
    ['GOTRUE_URI_ALLOW_LIST', 'redirects'],
    ['GOTRUE_RATE_LIMIT_OTP', 'limits'],
    ['GOTRUE_HOOK_SEND_SMS_URI', 'hooks'],
    ['GOTRUE_EXTERNAL_GITHUB_ENABLED', 'providers'],
    ['GOTRUE_EXTERNAL_EMAIL_ENABLED', 'sign-in'],
    ['GOTRUE_SMTP_HOST', 'messages'],
    ['PGRST_DB_MAX_ROWS', 'data'],
  ])('puts %s into %s', (name, section) => {
    expect(sectionOf(settingOf(name))).toBe(section);
  });
});

describe('selectSettings', () => {
  const settings = [
    settingOf('GOTRUE_EXTERNAL_GITHUB_ENABLED'),
    settingOf('GOTRUE_EXTERNAL_GITHUB_CLIENT_ID'),
    settingOf('GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID', {
      source: 'config',
      key: 'auth.external.google.client_id',
    }),
    settingOf('GOTRUE_JWT_EXP'),
  ];
  const select = (search: string) => {
    const { shown, hidden } = selectSettings(settings, readSettingsSelection(new URLSearchParams(search)));
    return [shown.map(({ name }) => name), hidden];
  };

  it('hides defaults of providers unless all are requested', () => {
    expect(select('section=providers')).toEqual([
      ['GOTRUE_EXTERNAL_GITHUB_ENABLED', 'GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID'],
      1,
    ]);
    expect(select('section=providers&all=1')[1]).toBe(0);
  });

  it('finds settings of all sections that contain every word', () => {
    expect(select('q=google+CLIENT')).toEqual([['GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID'], 0]);
    expect(select('q=nothing')).toEqual([[], 0]);
  });
});

it('settingsPath returns paths that readSettingsSelection parses', () => {
  const selection = { section: 'hooks', q: '', all: true, edit: 'X' } as const;
  const [, search] = settingsPath(selection).split('?');
  expect(readSettingsSelection(new URLSearchParams(search))).toEqual(selection);
});
