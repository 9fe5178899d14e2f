import { describe, expect, it } from 'vitest';
import { decideGuard, type GuardRules } from './guard.ts';

const rules: GuardRules = {
  enabled: true,
  login: '/login',
  callback: '/confirm',
  include: undefined,
  exclude: [],
};

describe('decideGuard', () => {
  it.each<[string, Partial<GuardRules>, string, boolean, 'pass' | 'to-login']>([
    ['a page without a session', {}, '/', false, 'to-login'],
    ['a page with a session', {}, '/', true, 'pass'],
    ['the sign-in page', {}, '/login', false, 'pass'],
    ['the callback page', {}, '/confirm', false, 'pass'],
    ['a path below the sign-in page', {}, '/login/x', false, 'to-login'],
    ['the sign-in page with a slash', {}, '/login/', false, 'to-login'],
    ['an excluded page', { exclude: ['/about'] }, '/about', false, 'pass'],
    ['a path below an excluded folder', { exclude: ['/docs/*'] }, '/docs/a/b', false, 'pass'],
    ['an excluded folder itself', { exclude: ['/docs/*'] }, '/docs', false, 'to-login'],
    ['a path outside of the include list', { include: ['/admin*'] }, '/', false, 'pass'],
    ['a path of the include list', { include: ['/admin*'] }, '/admin', false, 'to-login'],
    ['an encoded path of the include list', { include: ['/admin*'] }, '/%61dmin', false, 'to-login'],
    ['a path of the include list in capitals', { include: ['/Admin*'] }, '/ADMIN', false, 'to-login'],
    ['a path of the include list with a slash', { include: ['/account'] }, '/account/', false, 'to-login'],
    ['an encoded slash', { exclude: ['/docs/*'] }, '/docs%2F..%2Fadmin', false, 'to-login'],
    ['an undecodable path', {}, '/%ff', false, 'to-login'],
    ['an included and excluded path', { include: ['/a*'], exclude: ['/a/b'] }, '/a/b', false, 'pass'],
    ['an empty include list', { include: [] }, '/', false, 'to-login'],
    ['a disabled guard', { enabled: false }, '/', false, 'pass'],
    ['a pattern of the sign-in page', { login: '/login*' }, '/login/help', false, 'pass'],
  ])('decides for %s: $4', (_name, change, path, hasSession, decision) => {
    expect(decideGuard({ ...rules, ...change }, path, hasSession)).toBe(decision);
  });
});
