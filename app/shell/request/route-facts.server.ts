/** Facts about the routes of a build: the guard of each page of a product, and routes without a page. */
import type { ServerBuild } from 'react-router';
import { isProductEndpoint } from './endpoints.server.ts';

/** Visitors who may open a page: all, those with a session, or administrators. */
type Guard = 'public' | 'signedIn' | 'admin';

/** Facts about the route with a pattern. */
export interface RouteFacts {
  /** Undefined if no module of the branch exports `guard`: then the rules of the site apply. */
  guard: Guard | undefined;
  /** A route of a product without a component: its loader and action respond themselves. */
  isEndpoint: boolean;
  /** Whether a visitor can return to it after the sign-in. */
  hasPage: boolean;
}

/** Facts by the patterns that the router passes to middleware. */
export type RouteFactsByPattern = ReadonlyMap<string, RouteFacts>;

/** From the most open to the strictest. */
const GUARDS: readonly Guard[] = ['public', 'signedIn', 'admin'];
/** Pattern of the home page. */
const HOME = '/';

type Route = NonNullable<ServerBuild['routes'][string]>;

/**
 * Reads the exports of all routes. The strictest guard of a branch applies: that of a layout holds for all pages in it.
 * Throws for any other value of `guard`, because a misspelt one must not open a page.
 */
export function routeFactsOf({ routes }: Pick<ServerBuild, 'routes'>): RouteFactsByPattern {
  const list = Object.values(routes)
    .filter((route) => route !== undefined)
    .filter(isPage);
  const facts = new Map<string, RouteFacts>();
  for (const route of list) {
    const branch = branchOf(route, routes);
    const pattern =
      branch
        .flatMap(({ path }) => path || [])
        .join('/')
        .replace(/\/{2,}/g, '/') || HOME;
    const guards = branch.flatMap((each) => guardOf(each) ?? []);
    // A layout and its index page have the same pattern.
    const same = facts.get(pattern);
    facts.set(pattern, {
      guard: strictest([...guards, ...(same?.guard ? [same.guard] : [])]),
      isEndpoint: isProductEndpoint(route.module) && (same?.isEndpoint ?? true),
      hasPage: route.module.default !== undefined || same?.hasPage === true,
    });
  }
  return facts;
}

/**
 * Returns the facts about the pattern that the router passes to middleware. Throws for an unknown one, because its guard is
 * unknown, too.
 */
export function factsAbout(pattern: string, facts: RouteFactsByPattern): RouteFacts {
  const found = facts.get(pattern);
  if (found === undefined) throw new Error(`The guard of the route ${pattern} is unknown.`);
  return found;
}

function branchOf(route: Route, routes: ServerBuild['routes']): Route[] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return parent === undefined ? [route] : [...branchOf(parent, routes), route];
}

function guardOf({ id, module }: Route): Guard | undefined {
  const { guard } = module as { guard?: unknown };
  if (guard === undefined) return undefined;
  const found = GUARDS.find((each) => each === guard);
  if (found === undefined) {
    throw new Error(
      `The route ${id} exports guard = ${JSON.stringify(guard)}. Allowed: ${GUARDS.join(', ')}`,
    );
  }
  return found;
}

function strictest(guards: readonly Guard[]): Guard | undefined {
  return GUARDS.findLast((guard) => guards.includes(guard));
}

/** A layout without a path is no page: without this check, its guard would hold for the home page. */
function isPage({ path, index }: Route): boolean {
  return path !== undefined || index === true;
}
