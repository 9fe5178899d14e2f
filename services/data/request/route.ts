/** Parses the path of a request. Does not check whether the relation or function exists. */
import { failure } from '../errors.ts';

/**
 * The root (the OpenAPI document), a relation, or a function. A function without a schema is in the schema of the request.
 * Names are decoded.
 */
export type Route =
  | { kind: 'root' }
  | { kind: 'relation'; name: string }
  | { kind: 'rpc'; name: string; schema?: string | undefined };

/** The settings of the root path. */
interface RootSettings {
  openApiMode: 'follow-privileges' | 'ignore-privileges' | 'disabled';
  /** The function that replaces the OpenAPI document. */
  rootFunction: { name: string; schema: string | undefined } | undefined;
}

/**
 * Parses a percent-encoded path without the prefix of the service: `/`, `/films`, `/rpc/now`. Decodes names once.
 * @throws PGRST125 for any other path, PGRST126 for the root if it is disabled
 */
export function parseRoute(path: string, root: RootSettings): Route {
  const segments = path.replace(/^\//, '').split('/').map(decodedSegment);
  const [first = '', second = ''] = segments;
  if (segments.length === 1) return first === '' ? rootRoute(root) : { kind: 'relation', name: first };
  if (segments.length === 2 && first === 'rpc' && second !== '') return { kind: 'rpc', name: second };
  throw failure('PGRST125');
}

function rootRoute({ openApiMode, rootFunction }: RootSettings): Route {
  if (openApiMode === 'disabled') throw failure('PGRST126');
  return rootFunction === undefined ? { kind: 'root' } : { kind: 'rpc', ...rootFunction };
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw failure('PGRST125', { extra: { details: 'The path is not valid percent-encoded UTF-8.' } });
  }
}
