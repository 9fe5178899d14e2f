import { expect, it } from 'vitest';
import { isRoleClaimPath } from './role-claim-path.ts';

it.each([
  '$.role',
  '.role',
  '$["my role"]',
  "$['my role']",
  '."my role"',
  '$.app_metadata.x-role',
  '$.app_metadata.roles[0]',
  '.roles[?(@ == "admin")]',
  ".roles[?(@ != 'admin')]",
  '.roles[?(@ ^== "app_")]',
  '.roles[?(@ ==^ "_writer")]',
  '.roles[?(@*=="wri")]',
  '.roles[?@ == "admin"]',
  "$.roles[?search(@, '^[ae]')]",
  '$.roles[?(search(@, "^a"))]',
])('accepts the role claim path %s', (text) => {
  expect(isRoleClaimPath(text)).toBe(true);
});

it.each([
  '',
  '$',
  'role',
  '$role',
  '$.',
  '$..role',
  '$.a b',
  '$[',
  '$[x]',
  '$["a]',
  '$[?(@ > "a")]',
  '$[?(@ == a)]',
  '$[?(@ == "a"]',
  '$[?search(@, "[")]',
  '$[?match(@, "a")]',
  '$.*',
])('rejects the role claim path %j', (text) => {
  expect(isRoleClaimPath(text)).toBe(false);
});

it('validates long texts in linear time', () => {
  expect(isRoleClaimPath(`$${'.a'.repeat(50_000)} `)).toBe(false);
});
