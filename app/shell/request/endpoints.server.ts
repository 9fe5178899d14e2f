/** Finds the routes of a product that have no page, such as those for webhooks. They accept more kinds of requests. */
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';

/** Ids of routes of a product begin with it, unless they replace built-in ones. */
const PRODUCT_ID = /^product\//;

/** Returns whether a path of the site leads to such a route. */
type EndpointMatcher = (pathname: string) => boolean;

/** Creates the matcher of a build. @param basename base path of the site without the slash at its end */
export function createEndpointMatcher(
  { routes }: Pick<ServerBuild, 'routes'>,
  basename: string,
): EndpointMatcher {
  const tree = childrenOf(undefined, routes);
  return (pathname) => {
    const leaf = matchRoutes(tree, pathname, basename)?.at(-1)?.route.id;
    if (leaf === undefined || !PRODUCT_ID.test(leaf)) return false;
    return routes[leaf]?.module.default === undefined;
  };
}

function childrenOf(parentId: string | undefined, routes: ServerBuild['routes']): RouteObject[] {
  return Object.values(routes)
    .filter((route) => route !== undefined)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }): RouteObject => {
      const place = path === undefined ? {} : { path };
      return index ? { id, ...place, index } : { id, ...place, children: childrenOf(id, routes) };
    });
}
