import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRole, parseRoleClaim } from './role-claim.ts';

const CLAIMS = {
  role: 'author',
  number: 7,
  'my role': 'spaced',
  'a"b': 'quoted',
  app_metadata: { roles: ['app_reader', 'app_writer', 'admin', 5], 'x-role': 'dashed' },
};

describe('the role in claims', () => {
  it.each([
    ['$.role', 'author'],
    ['.role', 'author'],
    ["$['my role']", 'spaced'],
    ['$["my role"]', 'spaced'],
    ['."my role"', 'spaced'],
    ['$["a\\"b"]', 'quoted'],
    ['$.app_metadata["x-role"]', 'dashed'],
    ['.app_metadata."x-role"', 'dashed'],
    ['$.app_metadata.roles[0]', 'app_reader'],
    ['$.app_metadata.roles[-2]', 'admin'],
    ['$.app_metadata.roles[9]', undefined],
    ['$.app_metadata.roles[3]', undefined],
    ['.app_metadata.roles[?(@ == "admin")]', 'admin'],
    ['$.app_metadata.roles[?(@ == "nobody")]', undefined],
    ['$.app_metadata.roles[?@ == "admin"]', 'admin'],
    ["$.app_metadata.roles[?(@ == 'admin')]", 'admin'],
    ['.app_metadata.roles[?(@ != "app_reader")]', 'app_writer'],
    ['.app_metadata.roles[?(@ ^== "adm")]', 'admin'],
    ['.app_metadata.roles[?(@ ==^ "writer")]', 'app_writer'],
    ['.app_metadata.roles[?(@ *== "_wri")]', 'app_writer'],
    ['$.number', undefined],
    ['$.app_metadata', undefined],
    ['$.role.length', undefined],
    ['$.role[0]', undefined],
    ['$.toString', undefined],
    ['$.__proto__.constructor', undefined],
    ['$.app_metadata.roles.length', undefined],
  ])('at %s is %s', (text, role) => {
    const path = parseRoleClaim(text);
    expect(path).toBeDefined();
    expect(findRole(path ?? [], CLAIMS)).toBe(role);
  });

  it.each([
    '',
    '$',
    'role',
    '$role',
    '$.',
    '$..role',
    '$.a-b',
    '$.a b',
    '$[',
    '$[x]',
    '$["a]',
    '$.roles[?(@ == "a")].b',
    '$.roles[?(@ > "a")]',
    '$.roles[?(@ == a)]',
    '$.roles[?@ ^== "a"]',
    '$.*',
  ])('is not at %j', (text) => {
    expect(parseRoleClaim(text)).toBeUndefined();
  });

  it('is a text or nothing, whatever the path and the claims', () => {
    const parts = fc.constantFrom('$', '.a', '["a"]', '[0]', '[-1]', '[?(@ == "a")]', '"', '\\', '[', ']');
    fc.assert(
      fc.property(fc.array(parts), fc.jsonValue(), (text, claims) => {
        const path = parseRoleClaim(text.join(''));
        if (path !== undefined) expect(['string', 'undefined']).toContain(typeof findRole(path, claims));
      }),
    );
  });
});
