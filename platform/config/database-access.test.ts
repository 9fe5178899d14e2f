/** Who may connect to the embedded PostgreSQL, by its settings. */
import { expect, it } from 'vitest';
import { loadSettings } from './load-settings.ts';
import { defineSettings } from './settings-group.ts';

const nothing = defineSettings({
  title: '',
  tree: {},
  complete: (_, { instance }: { instance: { databaseAccess: unknown } }) => instance.databaseAccess,
});

const accessOf = (settings: Record<string, string>) =>
  loadSettings(
    nothing as never,
    Object.fromEntries(Object.entries(settings).map(([name, text]) => [`GREENROOM_DB_${name}`, text])),
  );

it.each<[Record<string, string>, string, string[] | undefined]>([
  [{}, 'off', undefined],
  [{ TLS: 'on' }, 'on', undefined],
  [{ ALLOWED_RANGES: '192.0.2.0/24, 10.0.0.0/8' }, 'off', ['192.0.2.0/24', '10.0.0.0/8', '::/0']],
  [{ ALLOWED_RANGES_V6: '2001:db8::/32' }, 'off', ['0.0.0.0/0', '2001:db8::/32']],
  [{ ALLOWED_RANGES: 'none', ALLOWED_RANGES_V6: 'none' }, 'off', []],
])('%j allows TLS %s and the ranges %j', (settings, tls, ranges) => {
  expect(accessOf(settings)).toEqual({ tls, ranges });
});

it.each([
  [{ TLS: 'true' }, 'GREENROOM_DB_TLS="true" is not allowed. Allowed: off, on, required'],
  [
    { ALLOWED_RANGES: '10.0.0.0/33' },
    'GREENROOM_DB_ALLOWED_RANGES="10.0.0.0/33" is not allowed. Allowed: ranges such as 192.0.2.0/24, separated by commas, or none',
  ],
  [{ ALLOWED_RANGES: '2001:db8::/32' }, 'GREENROOM_DB_ALLOWED_RANGES="2001:db8::/32"'],
  [{ ALLOWED_RANGES: '10.0.0.1' }, 'GREENROOM_DB_ALLOWED_RANGES="10.0.0.1"'],
  [{ ALLOWED_RANGES_V6: '10.0.0.0/8' }, 'GREENROOM_DB_ALLOWED_RANGES_V6="10.0.0.0/8"'],
])('%j is rejected', (settings, message) => {
  expect(() => accessOf(settings)).toThrow(message);
});
