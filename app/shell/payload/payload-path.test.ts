import { describe, expect, it } from 'vitest';
import { pageOfPayload, payloadPath } from '../../lib/payload/payload-path.ts';

const BUILD = '0123456789abcdef';

describe('payloadPath', () => {
  it.each([
    ['/', '/', `/_payload.json?${BUILD}`],
    ['/login', '/', `/login/_payload.json?${BUILD}`],
    ['/login?mode=sign-up', '/', `/login/_payload.json?mode=sign-up&${BUILD}`],
    ['/a?b=?c', '/', `/a/_payload.json?b=?c&${BUILD}`],
    ['/login#top', '/', `/login/_payload.json?${BUILD}`],
    ['/login/', '/', `/login//_payload.json?${BUILD}`],
    ['/app/', '/app/', `/app/_payload.json?${BUILD}`],
    ['/app', '/app/', `/app/_payload.json?${BUILD}`],
    ['/app/login?x=1', '/app/', `/app/login/_payload.json?x=1&${BUILD}`],
  ])('returns for %s at %s: %s', (page, baseURL, expected) => {
    expect(payloadPath(page, { baseURL, buildId: BUILD })).toBe(expected);
  });
});

describe('pageOfPayload', () => {
  it.each([
    [`/_payload.json?${BUILD}`, '/'],
    ['/_payload.json', '/'],
    ['/login/_payload.json?dev', '/login'],
    [`/login/_payload.json?mode=sign-up&${BUILD}`, '/login?mode=sign-up'],
    ['/login/_payload.json?mode=sign-up', '/login?mode=sign-up'],
    ['/login/_payload.json?flag', '/login?flag'],
    [`/login//_payload.json?${BUILD}`, '/login/'],
    ['/app/_payload.json', '/app'],
    ['/login', undefined],
    ['/login?x=/_payload.json', undefined],
    ['/my_payload.json', undefined],
  ])('returns for %s: %s', (path, expected) => {
    expect(pageOfPayload(path)).toBe(expected);
  });
});
