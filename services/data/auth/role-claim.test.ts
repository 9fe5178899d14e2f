import { expect, it } from 'vitest';
import { parseRoleClaim } from './role-claim.ts';

const claims = {
  role: 'top',
  app: { roles: ['other', 'author', 'editor'], 'with blank': 'blank' },
  'https://example.com/role': { key: 'far' },
  _grüße: 'letters',
};

it.each([
  ['.role', 'top'],
  ['$.role', 'top'],
  ['.app.roles[1]', 'author'],
  ['$.app["with blank"]', 'blank'],
  ['.app."with blank"', 'blank'],
  ["$['https://example.com/role'].key", 'far'],
  ['._grüße', 'letters'],
  ['.app.roles[?(@ == "author")]', 'author'],
  ["$.app.roles[?(@ == 'nobody')]", undefined],
  ['.app.roles[?(@ != "other")]', 'author'],
  ['.app.roles[?(@ ^== "ed")]', 'editor'],
  ['.app.roles[?(@ ==^ "or")]', 'author'],
  ['.app.roles[?(@ *== "the")]', 'other'],
  ['$.app.roles[?@ == "author"]', 'author'],
  ["$.app.roles[?search(@, '^[ae]')]", 'author'],
  ['$.app.roles[?( search( @ , "itor$" ) )]', 'editor'],
  ['$.app.roles[?search(@, "x")]', undefined],
  ['.app.roles', ['other', 'author', 'editor']],
  ['.app.roles[9]', undefined],
  ['.role[0]', undefined],
  ['.role.length', undefined],
  ['.nothing.there', undefined],
  ['.constructor', undefined],
  ['.__proto__', undefined],
  ['.app.roles.length', undefined],
])('the role claim path %s selects %j', (path, role) => {
  expect(parseRoleClaim(path)(claims)).toEqual(role);
});

it.each([
  '',
  '$',
  'role',
  '.',
  '.a..b',
  '.a[b]',
  '.a[-1]',
  '.a[?(@ = "x")]',
  '.a[?(@ == "x"]',
  '.a[?search("x")]',
  '.a[',
  '."a',
])('rejects the role claim path %j', (path) => {
  expect(() => parseRoleClaim(path)).toThrow('is not a path to a role');
});
