/**
 * Methods that the path of an endpoint does not support. A route for each of them would double the routes of the service,
 * which costs processor time at every start.
 */
import findMyWay from 'find-my-way';
import type { Endpoint } from '../context.ts';

/** Methods that endpoints may have; others are unknown to every path. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

type Route = Pick<Endpoint, 'method' | 'path'>;

/** The endpoints of one path. */
interface ServedPath {
  path: string;
  /** In the order of the endpoints. */
  allowed: readonly string[];
}

/** Paths of the router all have the same method, because the path alone determines the endpoints. */
const ANY_METHOD = 'GET';

/**
 * Returns a function that finds the endpoints of a URL, regardless of their methods. It uses the router of Fastify, so both
 * choose the same path. The router is created by the first call, because few requests need it.
 */
export function createPathLookup(
  endpoints: readonly Route[],
  prefix: string,
): (url: string) => ServedPath | undefined {
  const create = () => {
    // Fastify rejects longer URLs before they reach this router.
    const router = findMyWay({ maxParamLength: Number.POSITIVE_INFINITY });
    for (const [path, served] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
      const allowed = served.map(({ method }) => method);
      router.on(ANY_METHOD, prefix + path, unused, { path, allowed } satisfies ServedPath);
    }
    return router;
  };
  let router: ReturnType<typeof create> | undefined;
  return (url) => {
    router ??= create();
    return router.find(ANY_METHOD, url)?.store;
  };
}

function unused(): void {}

/**
 * Returns the routes that must exist although their endpoints do not: a URL may match several paths, and the most specific
 * one must match even if only another path has the method. For example, `DELETE /identities/authorize` must not delete
 * the identity `authorize` of `DELETE /identities/:id`.
 */
export function coveredRoutes(endpoints: readonly Route[]): Route[] {
  const paths = [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, served]) => ({
    path,
    methods: new Set(served.map(({ method }) => method)),
  }));
  return paths.flatMap(({ path, methods }) => {
    const others = paths.filter((other) => other.path !== path && overlap(path, other.path));
    const ofOthers = new Set(others.flatMap((other) => [...other.methods]));
    return [...ofOthers.difference(methods)].map((method) => ({ method, path }));
  });
}

/** Whether a URL can match both paths. */
function overlap(first: string, second: string): boolean {
  const [segments, others] = [first.split('/'), second.split('/')];
  return (
    segments.length === others.length &&
    segments.every((segment, index) => {
      const other = others[index] ?? '';
      return segment === other || segment.startsWith(':') || other.startsWith(':');
    })
  );
}
