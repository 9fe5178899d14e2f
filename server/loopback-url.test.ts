import { expect, it } from 'vitest';
import { warnOfLoopbackUrl } from './loopback-url.ts';
import { loadConfig } from './settings.ts';

const proxy = { GREENROOM_TRUST_PROXY: '127.0.0.1' };

it.each([
  [{}, []],
  [proxy, ['http://localhost:54321']],
  [{ ...proxy, GREENROOM_PUBLIC_URL: 'http://127.0.0.1:8000' }, ['http://127.0.0.1:8000']],
  [{ ...proxy, GREENROOM_PUBLIC_URL: 'https://own.example' }, []],
  [{ ...proxy, SITE_URL: 'https://own.example' }, []],
])('reports for the settings %j the loopback URLs %j', (env, expected) => {
  const warned: string[] = [];
  warnOfLoopbackUrl(loadConfig(env), ({ publicUrl }) => warned.push(publicUrl));
  expect(warned).toEqual(expected);
});
