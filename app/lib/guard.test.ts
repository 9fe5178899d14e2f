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
    ['a visitor on a page', {}, '/', false, 'to-login'],
    ['a person with a session', {}, '/', true, 'pass'],
    ['the login itself', {}, '/login', false, 'pass'],
    ['the callback itself', {}, '/confirm', false, 'pass'],
    ['below the login', {}, '/login/x', false, 'to-login'],
    ['the login with a slash', {}, '/login/', false, 'to-login'],
    ['an excluded page', { exclude: ['/about'] }, '/about', false, 'pass'],
    ['below an excluded folder', { exclude: ['/docs/*'] }, '/docs/a/b', false, 'pass'],
    ['an excluded folder itself', { exclude: ['/docs/*'] }, '/docs', false, 'to-login'],
    ['outside the include list', { include: ['/admin*'] }, '/', false, 'pass'],
    ['inside the include list', { include: ['/admin*'] }, '/admin', false, 'to-login'],
    ['inside the include list, encoded', { include: ['/admin*'] }, '/%61dmin', false, 'to-login'],
    ['inside the include list, in capitals', { include: ['/Admin*'] }, '/ADMIN', false, 'to-login'],
    ['inside the include list, with a slash', { include: ['/account'] }, '/account/', false, 'to-login'],
    ['a slash that is none', { exclude: ['/docs/*'] }, '/docs%2F..%2Fadmin', false, 'to-login'],
    ['a path that cannot be decoded', {}, '/%ff', false, 'to-login'],
    ['included and excluded', { include: ['/a*'], exclude: ['/a/b'] }, '/a/b', false, 'pass'],
    ['an empty include list', { include: [] }, '/', false, 'to-login'],
    ['a guard that is off', { enabled: false }, '/', false, 'pass'],
    ['a login that is a pattern', { login: '/login*' }, '/login/help', false, 'pass'],
  ])('%s', (_name, change, path, hasSession, decision) => {
    expect(decideGuard({ ...rules, ...change }, path, hasSession)).toBe(decision);
  });
});
