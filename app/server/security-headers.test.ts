import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, strictTransportSecurity } from './security-headers.ts';

/** Splits a policy into directives with their sources. */
function directives(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources];
    }),
  );
}

const location = { baseURL: '/', cdnURL: '', buildAssetsDir: '/assets/' };
const production = {
  publicApiUrl: undefined,
  publicUrl: undefined,
  location,
  captcha: undefined,
  isDevelopment: false,
};
const host = 'app.example:8443';
const page = { nonce: 'abc', host };

describe('contentSecurityPolicy', () => {
  it('allows scripts only with the nonce or from the folder of the built files', () => {
    const policy = directives(contentSecurityPolicy(production)(page));
    expect(policy['script-src']).toEqual([`${host}/assets/`, "'nonce-abc'"]);
    expect(policy['worker-src']).toEqual([`${host}/assets/`]);
    expect(policy['style-src']).toEqual(["'self'"]);
    expect(policy['default-src']).toEqual(["'self'"]);
  });

  it.each(['base-uri', 'object-src', 'frame-ancestors'])('blocks %s', (name) => {
    expect(directives(contentSecurityPolicy(production)(page))[name]).toEqual(["'none'"]);
  });

  it('allows connections to a remote backend, including sockets', () => {
    const settings = { ...production, publicApiUrl: 'https://abc.supabase.co/ignored' };
    const policy = directives(contentSecurityPolicy(settings)(page));
    expect(policy['connect-src']).toEqual(["'self'", 'https://abc.supabase.co', 'wss://abc.supabase.co']);
    expect(policy['img-src']).toEqual(["'self'", 'data:', 'blob:', 'https://abc.supabase.co']);
    expect(policy['media-src']).toEqual(["'self'", 'https://abc.supabase.co']);
    expect(policy['frame-src']).toEqual(["'self'", 'https://abc.supabase.co']);
  });

  it('allows files from the CDN only', () => {
    const policy = directives(
      contentSecurityPolicy({ ...production, location: { ...location, cdnURL: 'https://cdn.example/v1' } })(
        page,
      ),
    );
    expect(policy['script-src']).toEqual([
      `${host}/assets/`,
      'https://cdn.example/v1/assets/',
      "'nonce-abc'",
    ]);
    expect(policy['worker-src']).toEqual([`${host}/assets/`]);
    for (const name of ['style-src', 'font-src', 'connect-src']) {
      expect(policy[name]).toEqual(["'self'", 'https://cdn.example']);
    }
    expect(policy['default-src']).toEqual(["'self'"]);
  });

  it('allows images from one additional origin', () => {
    const policyFor = contentSecurityPolicy(production);
    const policy = directives(policyFor({ ...page, pictureOrigin: 'https://app.example' }));
    expect(policy).toEqual({
      ...directives(policyFor(page)),
      'img-src': ["'self'", 'data:', 'blob:', 'https://app.example'],
    });
  });

  const captcha = {
    provider: 'hcaptcha',
    siteKey: 'key',
    scriptUrl: 'https://js.hcaptcha.com/1/api.js',
  } as const;
  const hcaptcha = ['https://hcaptcha.com', 'https://*.hcaptcha.com'];
  const turnstile = 'https://challenges.cloudflare.com';
  const own = 'http://captcha.example:8080';

  it.each([
    ['hCaptcha', captcha, { script: hcaptcha, frame: hcaptcha, style: hcaptcha, connect: hcaptcha }],
    [
      'Turnstile',
      { provider: 'turnstile', siteKey: 'key', scriptUrl: `${turnstile}/turnstile/v0/api.js` },
      { script: [turnstile], frame: [turnstile], style: [], connect: [] },
    ],
    [
      'a script of another host',
      { provider: 'turnstile', siteKey: 'key', scriptUrl: `${own}/api.js?a=b` },
      { script: [turnstile, own], frame: [turnstile, own], style: [], connect: [] },
    ],
  ] as const)('allows a captcha and nothing else: %s', (_, settings, sources) => {
    const policy = directives(contentSecurityPolicy({ ...production, captcha: settings })(page));
    expect(policy).toEqual({
      ...directives(contentSecurityPolicy(production)(page)),
      'script-src': [`${host}/assets/`, ...sources.script, "'nonce-abc'"],
      'frame-src': ["'self'", ...sources.frame],
      'style-src': ["'self'", ...sources.style],
      'connect-src': ["'self'", ...sources.connect],
    });
  });

  it('has no unsafe source in production', () => {
    expect(contentSecurityPolicy({ ...production, captcha })(page)).not.toContain('unsafe');
    expect(contentSecurityPolicy(production)(page)).not.toContain('unsafe');
  });

  it('differs for each nonce', () => {
    const policyFor = contentSecurityPolicy(production);
    expect(policyFor({ ...page, nonce: 'one' })).not.toBe(policyFor({ ...page, nonce: 'two' }));
  });
});

describe('strictTransportSecurity', () => {
  it.each([
    ['example.org', 'max-age=31536000'],
    ['example.org:8443', 'max-age=31536000'],
    ['notlocalhost', 'max-age=31536000'],
    ['localhost', undefined],
    ['localhost:54321', undefined],
    ['app.LOCALHOST:54321', undefined],
  ])('is not sent for localhost, whose ports belong to several servers: %s', (host, value) => {
    expect(strictTransportSecurity(host)).toBe(value);
  });
});
