/** Finds the routes of a product that have no page, such as those for webhooks. They accept more kinds of requests. */
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';

/** End of the paths by which the router loads the data of pages. */
const DATA = '.data';

/** Returns whether a path of the site leads to such a route. */
type EndpointMatcher = (pathname: string) => boolean;

/** Creates the matcher of a build. @param basename base path of the site without the slash at its end */
export function createEndpointMatcher(
  { routes }: Pick<ServerBuild, 'routes'>,
  basename: string,
): EndpointMatcher {
  const tree = childrenOf(undefined, routes);
  return (pathname) => {
    if (pathname.endsWith(DATA)) return false;
    const leaf = matchRoutes(tree, pathname, basename)?.at(-1)?.route.id;
    return leaf !== undefined && isProductEndpoint(routes[leaf]?.module);
  };
}

/** Returns whether a module is a route of a product without a page. The bundler adds the export. */
export function isProductEndpoint(module: object | undefined): boolean {
  return module !== undefined && 'isProductEndpoint' in module && module.isProductEndpoint === true;
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
