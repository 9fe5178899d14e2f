import {
  booleanSetting,
  integerSetting,
  listSetting,
  listText,
  negatedText,
  type Setting,
  textSetting,
} from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { type ConfigFileOptions, parseConfigFile } from './config-file.ts';

const PROJECT = { folder: '/project', supabaseFolder: '/project/supabase' };

const settings: readonly Setting[] = [
  integerSetting('EXPIRY', 1, 100, { default: '60', configKey: 'auth.jwt_expiry', description: '' }),
  integerSetting('ROWS', 1, 9999, {
    default: undefined,
    configKey: { key: 'api.max_rows', default: 1000 },
    description: '',
  }),
  booleanSetting('DISABLED', {
    default: 'false',
    configKey: { key: 'auth.enabled', formerKeys: ['auth.enable'], toText: negatedText },
    description: '',
  }),
  listSetting('URLS', 'URLs', {
    default: '',
    configKey: { key: 'auth.urls', toText: listText },
    description: '',
  }),
  textSetting('HOST', 'a host', {
    default: undefined,
    configKey: { key: 'smtp.host', requires: 'smtp.enabled', requiresTableOnly: true },
    description: '',
  }),
  textSetting('SITE', 'a URL', {
    default: undefined,
    configKey: { key: 'auth.site_url', omitsUnsetVariable: true },
    description: '',
  }),
  textSetting('SECRET', 'a secret', {
    default: undefined,
    secret: true,
    configKey: { key: 'captcha.secret', requires: 'captcha.enabled' },
    description: '',
  }),
  booleanSetting('CAPTCHA', { default: 'false', configKey: 'captcha.enabled', description: '' }),
];

function parse(text: string, options: Partial<ConfigFileOptions> = {}) {
  return parseConfigFile(text, PROJECT, { settings, variable: () => undefined, ...options });
}

/** Returns the texts of the settings that the file sets. */
function texts(text: string, options?: Partial<ConfigFileOptions>): Record<string, string> {
  return Object.fromEntries(Array.from(parse(text, options).values, ([name, value]) => [name, value.text]));
}

describe('the settings of config.toml', () => {
  it('have the texts of their keys, and remember file, line and key', () => {
    const { values } = parse('[auth]\njwt_expiry = 30\nenabled = false\nurls = ["a", "b"]');
    expect(values.get('EXPIRY')).toEqual({
      text: '30',
      origin: 'supabase/config.toml:2',
      written: { name: 'auth.jwt_expiry', value: '30' },
    });
    expect([values.get('DISABLED')?.text, values.get('URLS')?.text]).toEqual(['true', 'a,b']);
  });

  it('take the default of the file format for a missing key, if it differs', () => {
    const { values, defaults } = parse('');
    expect(values.size).toBe(0);
    expect([...defaults]).toEqual([
      [
        'ROWS',
        {
          text: '1000',
          origin: 'default of supabase/config.toml',
          written: { name: 'api.max_rows', value: '1000' },
        },
      ],
    ]);
    expect(parse('[api]\nmax_rows = 5').defaults.size).toBe(0);
  });

  it.each([
    ['[captcha]\nenabled = false\nsecret = "x"', { CAPTCHA: 'false' }],
    ['[captcha]\nenabled = true\nsecret = "x"', { CAPTCHA: 'true', SECRET: 'x' }],
    ['[captcha]\nsecret = "x"', {}],
    ['[smtp]\nenabled = false\nhost = "h"', {}],
    ['[smtp]\nhost = "h"', { HOST: 'h' }],
  ])('leave out keys whose requirement is not fulfilled: %j', (text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it.each([
    ['auth.enabled = "perhaps"', 'auth.enabled', '"perhaps"', 'true, false'],
    ['auth.enabled = [true]', 'auth.enabled', '"[true]"', 'a single value'],
    ['auth.jwt_expiry = { a = 1 }', 'auth.jwt_expiry', '"{\\"a\\":1}"', 'a single value'],
    ['auth.urls = 5', 'auth.urls', '"5"', 'a list of texts'],
    ['auth.urls = ["a,b"]', 'auth.urls', '"[\\"a,b\\"]"', 'a list of texts without commas'],
  ])('reject %s', (line, name, value, allowed) => {
    const { problems, values } = parse(`\n${line}`);
    expect(values.size).toBe(0);
    expect(problems).toEqual([
      {
        name,
        value: JSON.parse(value),
        allowed: expect.stringContaining(allowed),
        origin: 'supabase/config.toml:2',
      },
    ]);
  });

  it('report all wrong values at once', () => {
    expect(parse('[auth]\nenabled = 1\nurls = 1').problems.map(({ name }) => name)).toEqual([
      'auth.enabled',
      'auth.urls',
    ]);
  });

  it('reject encrypted values without showing secrets, also those of a variable', () => {
    const variable = () => 'encrypted:abc';
    for (const secret of ['encrypted:abc', 'env(KEY)']) {
      const { problems } = parse(`[captcha]\nenabled = true\nsecret = "${secret}"`, { variable });
      expect(problems).toEqual([
        {
          name: 'captcha.secret',
          value: undefined,
          allowed: expect.stringContaining('cannot decrypt'),
          origin: 'supabase/config.toml:3',
        },
      ]);
    }
  });
});

describe('env(NAME)', () => {
  const variable = (name: string) => ({ EXPIRY_SECONDS: '7', LIST: 'a,b', ONE: 'x' })[name];

  it('is replaced by the variable, also in lists', () => {
    expect(texts('auth.jwt_expiry = "env(EXPIRY_SECONDS)"', { variable })).toEqual({ EXPIRY: '7' });
    expect(texts('auth.urls = "env(LIST)"', { variable })).toEqual({ URLS: 'a,b' });
    expect(texts('auth.urls = ["env(ONE)", "y"]', { variable })).toEqual({ URLS: 'x,y' });
  });

  it('is replaced only if it is the whole text', () => {
    expect(texts('smtp.host = "smtp.env(ONE)"', { variable })).toEqual({ HOST: 'smtp.env(ONE)' });
  });

  it('stays, with a warning, if the variable is unset and the key has an effect', () => {
    const { values, warnings } = parse('[smtp]\nhost = "env(UNSET)"');
    expect(values.get('HOST')?.text).toBe('env(UNSET)');
    expect(warnings).toEqual([
      'supabase/config.toml:2: smtp.host is the text "env(UNSET)", because the variable UNSET is unset',
    ]);
    expect(parse('[captcha]\nenabled = false\nsecret = "env(UNSET)"').warnings).toEqual([]);
  });

  it('has no effect, with a warning, if the variable is unset and the key omits such texts', () => {
    const { values, warnings } = parse('[auth]\nsite_url = "env(UNSET)"');
    expect(values.size).toBe(0);
    expect(warnings).toEqual([
      'supabase/config.toml:2: auth.site_url has no effect, because the variable UNSET is unset',
    ]);
  });
});

describe('a remote', () => {
  const ID = 'abcdefghijklmnopqrst';
  const FILE = `project_id = "local"
[auth]
jwt_expiry = 30
urls = ["a"]
[remotes.staging]
project_id = "${ID}"
[remotes.staging.auth]
jwt_expiry = 40
`;

  it.each([
    [{}, '30'],
    [{ remote: 'staging' }, '40'],
    [{ remote: ID }, '40'],
    [{ projectId: ID }, '40'],
    [{ projectId: 'other' }, '30'],
  ])('is chosen by %j', (choice, expiry) => {
    expect(texts(FILE, choice)).toEqual({ EXPIRY: expiry, URLS: 'a' });
  });

  it('is chosen by the project_id of the file', () => {
    expect(texts(FILE.replace('local', ID))).toEqual({ EXPIRY: '40', URLS: 'a' });
  });

  it('overrides single keys, and has lines of its own', () => {
    const { values, document } = parse(FILE, { remote: 'staging' });
    expect(values.get('EXPIRY')?.origin).toBe('supabase/config.toml:8');
    expect(values.get('URLS')?.origin).toBe('supabase/config.toml:4');
    expect(document.values.project_id).toBe(ID);
  });

  it('disables seeds unless it enables them', () => {
    const seeds = '[db.seed]\nenabled = true\n';
    expect(parse(FILE + seeds).document.values.db).toEqual({ seed: { enabled: true } });
    expect(parse(FILE + seeds, { remote: ID }).document.values.db).toEqual({ seed: { enabled: false } });
    const own = '[remotes.staging.db.seed]\nenabled = true\n';
    expect(parse(FILE + seeds + own, { remote: ID }).document.values.db).toEqual({ seed: { enabled: true } });
  });

  it.each([
    [FILE, { remote: 'production' }, 'has no remote "production". Remotes of the file: staging.'],
    ['', { remote: 'production' }, 'Remotes of the file: none.'],
    ['[remotes.a]\nproject_id = "short"', {}, 'config.toml:2: remotes.a.project_id must be the id'],
    ['[remotes.a.auth]\nenabled = true', {}, 'config.toml:1: remotes.a.project_id must be the id'],
    ['remotes = 1', {}, 'config.toml:1: remotes must be tables'],
    [`${FILE}[remotes.b]\nproject_id = "${ID}"`, {}, 'config.toml:10: another remote has the project_id'],
  ])('is rejected in %j with %j', (text, choice, message) => {
    expect(() => parse(text, choice)).toThrow(message);
  });
});

describe('warnings about keys', () => {
  it.each([
    [
      '[auth]\njwt_expire = 1',
      'config.toml:2: the key auth.jwt_expire is unknown and has no effect. Did you mean auth.jwt_expiry?',
    ],
    ['[auht]\nx = 1', 'config.toml:1: the key auht is unknown and has no effect. Did you mean auth?'],
    ['[quite.different]\nx = 1', 'config.toml:1: the key quite is unknown and has no effect.'],
    ['[auth]\nenable = true', 'uses old spellings: auth.enable (now auth.enabled)'],
    ['[edge_runtime]\ndeno_version = 1', 'functions run on Deno 2, not on Deno 1'],
  ])('say for %j: %s', (text, message) => {
    expect(parse(text).warnings.join('\n')).toContain(message);
  });

  it.each([
    '[smtp]\nenabled = false',
    '[analytics]\nenabled = true',
    '[edge_runtime]\ndeno_version = 2\n[edge_runtime.secrets]\na = "b"',
    '[functions.hello]\nverify_jwt = false',
  ])('are omitted for %j', (text) => {
    expect(parse(text).warnings).toEqual([]);
  });
});

it.each([
  ['a = = 1', 'supabase/config.toml:1:5: this is not valid TOML: '],
  ['[a]\n[a]\n', 'supabase/config.toml:2:'],
  ['[a]\nb = "x\n', 'supabase/config.toml:2:'],
  ['__proto__ = 1', 'supabase/config.toml:1:'],
])('rejects %j with its place', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

it('reads a file with a byte order mark and line ends of Windows', () => {
  expect(texts('\uFEFF[auth]\r\njwt_expiry = 3\r\n')).toEqual({ EXPIRY: '3' });
});
