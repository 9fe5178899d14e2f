import { expect, it } from 'vitest';
import { readApplications } from './applications.server.ts';

const GRANT = {
  client: { id: 'a', name: 'Notes', uri: 'https://notes.example/about', logo_uri: null },
  scopes: ['openid', 'email'],
  granted_at: '2026-01-01T00:00:01.5Z',
};
const NOTES = {
  id: 'a',
  name: 'Notes',
  host: 'notes.example',
  scopes: ['openid', 'email'],
  grantedAt: Date.UTC(2026, 0, 1, 0, 0, 1) / 1000,
};

it.each([
  [[GRANT], [NOTES]],
  [[{ client: { id: 'b' } }], [{ id: 'b', name: undefined, host: '', scopes: [], grantedAt: 0 }]],
  [[{ ...GRANT, client: { ...GRANT.client, uri: 'no address' } }], [{ ...NOTES, host: '' }]],
  [
    [{ ...GRANT, scopes: [1, 'email'], granted_at: 'never' }],
    [{ ...NOTES, scopes: ['email'], grantedAt: 0 }],
  ],
  [[null, 7, {}, { client: null }, { client: { id: 7 } }], []],
  [{ grants: [GRANT] }, []],
  [null, []],
])('parses %j', (grants, applications) => {
  expect(readApplications(grants)).toEqual(applications);
});
