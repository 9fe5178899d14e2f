import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PageConfig, toScriptText } from './page-config.ts';

const config: PageConfig = {
  baseURL: '/',
  cdnURL: '',
  buildAssetsDir: '/assets/',
  buildCheckSeconds: 3600,
  buildId: 'b1',
  apiUrl: null,
  anonKey: 'anon',
  cookiePrefix: 'sb-127-auth-token',
  cookieOptions: { path: '/', sameSite: 'lax', secure: false },
  redirectOptions: {
    login: '/login',
    callback: '/confirm',
    include: [],
    exclude: [],
    saveRedirectToCookie: true,
  },
  providers: [],
  captcha: null,
};

describe('toScriptText', () => {
  it.each(['</script><script>alert(1)</script>', '<!--<script>', 'plain'])(
    'escapes %j so that the element does not end',
    (anonKey) => {
      const text = toScriptText({ ...config, anonKey });
      expect(text).not.toContain('<');
      expect(JSON.parse(text)).toEqual({ ...config, anonKey });
    },
  );

  it('escapes any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (anonKey) => {
        const text = toScriptText({ ...config, anonKey });
        expect(text).not.toContain('<');
        expect((JSON.parse(text) as PageConfig).anonKey).toBe(anonKey);
      }),
    );
  });
});
