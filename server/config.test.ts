import { appUrlOf, ConfigError } from '@greenroom/config';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';

describe('loadConfig', () => {
  it('has a default for every variable', () => {
    const config = loadConfig({});
    expect([config.host, config.port, config.dataDirectory]).toEqual(['127.0.0.1', 54321, '.greenroom']);
    expect(config.requireApiKey).toBe(true);
    expect(config.app.hosted).toBeUndefined();
  });

  it('treats an empty value as unset', () => {
    expect(loadConfig({ PORT: '' }).port).toBe(54321);
  });

  it.each([
    ['PORT', '70000', 'a whole number from 0 to 65535'],
    ['PORT', 'http', 'a whole number from 0 to 65535'],
    ['HOST', 'not a host', 'an IP address or a host name'],
    ['SITE_URL', 'ftp://example.org', 'an http:// or https:// URL'],
    ['GREENROOM_REQUIRE_API_KEY', 'yes', 'true, false'],
    ['LOG_LEVEL', 'loud', 'fatal, error'],
    ['GREENROOM_COOKIE_PREFIX', 'a b', '1 to 64 letters'],
    ['GREENROOM_REDIRECTS', '/old', 'from=to'],
    ['GREENROOM_REDIRECTS', 'old=/new', 'from=to'],
    ['GREENROOM_REDIRECTS', '/old=//evil.example', 'from=to'],
    ['GREENROOM_REDIRECTS', '/old=javascript:alert(1)', 'from=to'],
    ['GREENROOM_REDIRECTS', '/old=/old', 'from=to separated by commas, none of which leads to itself'],
    [
      'GREENROOM_REDIRECTS',
      '/docs*=/docs/new?a',
      'from=to separated by commas, none of which leads to itself',
    ],
    ['GREENROOM_REDIRECTS', '/ü*=/über', 'from=to separated by commas, none of which leads to itself'],
    ['GREENROOM_BASE_URL', '/a/../b/', 'a path such as'],
    ['GREENROOM_CAPTCHA_SITE_KEY', '"><script>', '1 to 128 letters'],
    ['GREENROOM_CAPTCHA_SCRIPT_URL', 'javascript:alert(1)', 'an http:// or https:// URL'],
    ['GREENROOM_BASE_URL', 'https://example.org/', 'a path such as'],
    ...['abc', '10.0.0.1, proxy', '10.0.0.256', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.0/'].map(
      (value) => ['GREENROOM_TRUST_PROXY', value, 'IP addresses or CIDR ranges, separated by commas'],
    ),
  ])('reports variable, value and allowed values: %s=%s', (name, value, allowed) => {
    expect(() => loadConfig({ [name]: value })).toThrow(
      `${name}=${JSON.stringify(value)} is not allowed. Allowed: ${allowed}`,
    );
  });

  it.each(['x', '[{"kid":"a"}]', '[{"kid":"a","key_ops":["sign"]},{"kid":"b","key_ops":["sign"]}]'])(
    'rejects keys without showing them: %s',
    (value) => {
      const load = () => loadConfig({ GOTRUE_JWT_KEYS: value });
      expect(load).toThrow(
        /^GOTRUE_JWT_KEYS=\(hidden\) is not allowed\. Allowed: a JSON array of JSON Web Keys, exactly one/m,
      );
      expect(load).not.toThrow('kid":"a');
    },
  );

  it('returns the signing key first', () => {
    const keys = [{ kid: 'a' }, { kid: 'b', key_ops: ['sign', 'verify'] }];
    const { signingKeys } = loadConfig({ GOTRUE_JWT_KEYS: JSON.stringify(keys) });
    expect(signingKeys?.map(({ kid }) => kid)).toEqual(['b', 'a']);
  });

  it.each([
    ['10.0.0.1', ['10.0.0.1']],
    [' 10.0.0.0/8,, fd00::/8 ', ['10.0.0.0/8', 'fd00::/8']],
    ['::1,::ffff:10.0.0.1', ['::1', '::ffff:10.0.0.1']],
  ])('parses the proxies %j', (text, proxies) => {
    expect(loadConfig({ GREENROOM_TRUST_PROXY: text }).trustedProxies).toEqual(proxies);
  });

  it.each([
    ['GREENROOM_JWT_SECRET', 'too-short-to-show'],
    ['DATABASE_URL', 'mysql://root:hunter2@db'],
    ['REDIS_URL', 'http://root:hunter2@db'],
    ['REDIS_URL', 'redis://root:hunter2@db/first'],
  ])('does not show the value of %s', (name, value) => {
    const attempt = () => loadConfig({ [name]: value });
    expect(attempt).toThrow(`${name}=(hidden) is not allowed`);
    expect(attempt).not.toThrow(value);
  });

  it.each(['redis://db', 'rediss://:secret@db.example.org:6380/2', 'redis://[::1]:6379/'])(
    'accepts the Redis URL %s',
    (url) => {
      expect(loadConfig({ REDIS_URL: url }).realtime.redisUrl).toBe(url);
    },
  );

  it('reports all invalid variables at once', () => {
    try {
      loadConfig({ PORT: '-1', LOG_LEVEL: 'x' });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as ConfigError).problems.map((problem) => problem.name).sort()).toEqual([
        'LOG_LEVEL',
        'PORT',
      ]);
    }
  });

  it.each([
    [{}, '/'],
    [{ GREENROOM_BASE_URL: 'app' }, '/app/'],
    [{ GREENROOM_BASE_URL: '/a/b' }, '/a/b/'],
    [{ SITE_URL: 'https://example.org' }, '/'],
    [{ SITE_URL: 'https://example.org/app' }, '/app/'],
    [{ SITE_URL: 'https://example.org/app', GREENROOM_BASE_URL: '/' }, '/'],
    [{ GREENROOM_PUBLIC_URL: 'https://example.org/app', SITE_URL: 'https://example.org' }, '/app/'],
  ])('returns for %j the path of the app %s', (source, baseURL) => {
    expect(loadConfig(source).app.baseURL).toBe(baseURL);
  });

  it('parses the redirects of paths', () => {
    const { redirects } = loadConfig({
      GREENROOM_REDIRECTS: '/old=/new?a=b, /docs*=https://docs.example.org',
    }).app;
    expect(redirects).toEqual([
      { from: '/old', to: '/new?a=b' },
      { from: '/docs*', to: 'https://docs.example.org' },
    ]);
  });

  it('encodes the redirects as requests and headers contain them', () => {
    const { redirects } = loadConfig({
      GREENROOM_REDIRECTS: '/über*=/日本?a=ü%20b,/docs=https://bücher.example/ü',
    }).app;
    expect(redirects).toEqual([
      { from: '/%C3%BCber*', to: '/%E6%97%A5%E6%9C%AC?a=%C3%BC%20b' },
      { from: '/docs', to: 'https://xn--bcher-kva.example/%C3%BC' },
    ]);
  });

  it('requires a key for a hosted backend', () => {
    expect(() => loadConfig({ SUPABASE_URL: 'https://x.example' })).toThrow('SUPABASE_ANON_KEY');
    expect(loadConfig({ SUPABASE_URL: 'https://x.example/', SUPABASE_ANON_KEY: 'k' }).app.hosted?.url).toBe(
      'https://x.example',
    );
  });
});

it('offers providers on the sign-in page with the client ids of the backend or those of the pages', () => {
  const google = {
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
    GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'web, native',
    GOTRUE_EXTERNAL_GOOGLE_SECRET: 'secret',
  };
  const github = {
    GOTRUE_EXTERNAL_GITHUB_ENABLED: 'true',
    GOTRUE_EXTERNAL_GITHUB_CLIENT_ID: 'hub',
    GOTRUE_EXTERNAL_GITHUB_SECRET: 'secret',
  };
  expect(loadConfig({}).app.clientIds).toEqual({});
  expect(loadConfig({ ...google, ...github }).app.clientIds).toEqual({ google: 'web', github: 'hub' });
  expect(loadConfig({ ...google, GOOGLE_CLIENT_ID: 'other' }).app.clientIds).toEqual({ google: 'other' });
});

it('offers Google on the sign-in page of a hosted backend with GOOGLE_CLIENT_ID', () => {
  const hosted = { SUPABASE_URL: 'https://x.example', SUPABASE_ANON_KEY: 'k' };
  expect(loadConfig({ ...hosted, GOOGLE_CLIENT_ID: 'web' }).app.clientIds).toEqual({ google: 'web' });
});

describe('the public URL', () => {
  const own = 'https://own.example';
  const site = 'https://site.example/welcome';
  const local = 'http://localhost:54321';
  it.each([
    [{}, { pages: local, site: local, api: 'http://127.0.0.1:54321' }],
    [{ HOST: '0.0.0.0' }, { pages: local, site: local, api: 'http://127.0.0.1:54321' }],
    [{ HOST: '::1' }, { pages: local, site: local, api: 'http://[::1]:54321' }],
    [
      { HOST: '192.0.2.1', PORT: '80' },
      { pages: 'http://192.0.2.1', site: 'http://192.0.2.1', api: 'http://192.0.2.1:80' },
    ],
    [{ SITE_URL: own }, { publicUrl: own, pages: own, site: own, api: 'http://127.0.0.1:54321' }],
    [{ GREENROOM_PUBLIC_URL: `${own}/` }, { publicUrl: own, pages: own, site: own, api: own }],
    [
      { GREENROOM_PUBLIC_URL: `${own}/app` },
      { publicUrl: `${own}/app`, pages: `${own}/app`, site: `${own}/app`, api: `${own}/app` },
    ],
    [
      { GREENROOM_PUBLIC_URL: own, SITE_URL: site },
      { publicUrl: own, pages: own, site, api: own },
    ],
    [
      { GREENROOM_PUBLIC_URL: own, API_EXTERNAL_URL: 'https://api.example' },
      { publicUrl: own, pages: own, site: own, api: 'https://api.example' },
    ],
  ])('of %j is %j', (env, expected) => {
    const { auth, ...config } = loadConfig(env);
    const pages = appUrlOf(config, config.localUrl);
    expect(auth.redirects.appUrl).toBe(pages);
    expect({
      publicUrl: config.publicUrl,
      pages,
      site: auth.redirects.siteUrl,
      api: auth.externalUrl,
    }).toEqual({ publicUrl: undefined, ...expected });
  });

  it.each(['http://127.0.0.1:3000', 'https://front.example', 'exp://127.0.0.1:8081', 'myapp://'])(
    'does not follow the site of a project, which is only the redirect target: %s',
    (GOTRUE_SITE_URL) => {
      const { auth, ...config } = loadConfig({ GOTRUE_SITE_URL });
      expect(auth.redirects).toMatchObject({ siteUrl: GOTRUE_SITE_URL, appUrl: local });
      expect(config).toMatchObject({ publicUrl: undefined, appUrl: local, limitsLoopback: false });
      expect(auth.externalUrl).toBe('http://127.0.0.1:54321');
      expect(auth.webauthn.rpId).toBe('localhost');
    },
  );

  it.each(['javascript://x', 'data://x', '/path', 'example.org'])(
    'does not accept %s as the site of a project',
    (GOTRUE_SITE_URL) => {
      expect(() => loadConfig({ GOTRUE_SITE_URL })).toThrow('Allowed: an absolute URL');
    },
  );

  it('is the origin of passkeys and security keys', () => {
    expect(loadConfig({}).auth.webauthn).toMatchObject({
      rpId: 'localhost',
      origins: ['http://localhost:54321'],
    });
    const env = { GREENROOM_PUBLIC_URL: 'https://own.example/app', SITE_URL: 'https://site.example' };
    expect(loadConfig(env).auth.webauthn).toMatchObject({
      rpId: 'own.example',
      origins: ['https://own.example'],
    });
  });
});

describe('the parameters of PostgreSQL', () => {
  it('are read from pairs', () => {
    const { databaseParameters } = loadConfig({ GREENROOM_DB_SETTINGS: 'work_mem=8MB, max_connections=50' });
    expect(databaseParameters).toEqual({ work_mem: '8MB', max_connections: '50' });
    expect(loadConfig({}).databaseParameters).toEqual({});
  });

  it.each(['work_mem', 'data_directory=/x', "work_mem='8MB'", 'work_mem=8MB\ninclude x', 'work_mem=a=b'])(
    'cannot be %j',
    (GREENROOM_DB_SETTINGS) => {
      expect(() => loadConfig({ GREENROOM_DB_SETTINGS })).toThrow('Allowed: pairs such as work_mem=64MB');
    },
  );
});

describe('limitsLoopback', () => {
  it.each([
    [{}, false],
    [{ HOST: '0.0.0.0' }, false],
    [{ SITE_URL: 'http://localhost:3000' }, false],
    [{ SITE_URL: 'http://app.localhost' }, false],
    [{ SITE_URL: 'http://[::1]:8000' }, false],
    [{ SITE_URL: 'https://greenroom.example' }, true],
    [{ API_EXTERNAL_URL: 'https://api.greenroom.example' }, true],
    [{ GREENROOM_PUBLIC_URL: 'https://greenroom.example' }, true],
    [{ GREENROOM_PUBLIC_URL: 'http://localhost:54321', SITE_URL: 'https://greenroom.example' }, false],
    [{ HOST: '203.0.113.7' }, true],
  ])('with %j is %s', (env, expected) => {
    expect(loadConfig(env).limitsLoopback).toBe(expected);
  });
});
