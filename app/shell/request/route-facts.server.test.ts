import type { ServerBuild } from 'react-router';
import { describe, expect, it } from 'vitest';
import { factsAbout, routeFactsOf } from './route-facts.server.ts';

interface TestRoute {
  id: string;
  path?: string;
  index?: boolean;
  parentId?: string;
  guard?: string;
  isProductEndpoint?: boolean;
  component?: () => null;
}

function factsOf(...routes: TestRoute[]) {
  const list = routes.map(({ guard, isProductEndpoint, component, ...route }) => {
    const module = {
      ...(guard && { guard }),
      ...(isProductEndpoint && { isProductEndpoint }),
      ...(component && { default: component }),
    };
    return [route.id, { parentId: 'root', ...route, module }];
  });
  const root = { id: 'root', path: '', module: {} };
  return routeFactsOf({ routes: { root, ...Object.fromEntries(list) } as ServerBuild['routes'] });
}

describe('routeFactsOf', () => {
  it('returns the strictest guard of a branch', () => {
    const facts = factsOf(
      { id: 'team', path: 'team', guard: 'signedIn' },
      { id: 'open', path: 'open', parentId: 'team', guard: 'public' },
      { id: 'closed', path: 'closed/:id?', parentId: 'team', guard: 'admin' },
    );
    const guards = ['team', 'team/open', 'team/closed/:id?'].map((each) => factsAbout(each, facts).guard);
    expect(guards).toEqual(['signedIn', 'signedIn', 'admin']);
  });

  it('returns the stricter guard of a layout and its index page', () => {
    const layout = { id: 'team', path: 'team', guard: 'public' };
    expect(factsOf(layout, { id: 'i', index: true, parentId: 'team', guard: 'admin' }).get('team')).toEqual({
      guard: 'admin',
      isEndpoint: false,
      hasPage: false,
    });
  });

  it.each(['public', 'admin'])('leaves the home page unchanged by a layout without a path: %s', (guard) => {
    const facts = factsOf(
      { id: 'home', index: true },
      { id: '_team', guard },
      { id: 'shifts', path: 'shifts', parentId: '_team' },
    );
    expect(factsAbout('/', facts).guard).toBeUndefined();
    expect(factsAbout('shifts', facts).guard).toBe(guard);
  });

  it('throws for a wrong guard, and for a pattern that no route has', () => {
    expect(() => factsOf({ id: 'a', path: 'a', guard: 'Admin' })).toThrow('exports guard = "Admin"');
    expect(() => factsAbout('b', factsOf({ id: 'a', path: 'a' }))).toThrow(
      'The guard of the route b is unknown.',
    );
  });

  it('distinguishes routes with a component, also one of a layout with the same path', () => {
    const component = () => null;
    const facts = factsOf(
      { id: 'a', path: 'a' },
      { id: 'b', path: 'b', component },
      { id: 'c', path: 'c', component },
      { id: 'c-index', index: true, parentId: 'c' },
    );
    expect(['a', 'b', 'c'].map((pattern) => facts.get(pattern)?.hasPage)).toEqual([false, true, true]);
  });

  it('distinguishes routes of a product without a page', () => {
    const facts = factsOf({ id: 'a', path: 'a', isProductEndpoint: true }, { id: 'b', path: 'b' });
    expect([facts.get('a')?.isEndpoint, facts.get('b')?.isEndpoint]).toEqual([true, false]);
  });
});
