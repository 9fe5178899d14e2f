/** The path of a request → what it is about. Whether that exists is not known here. */
import { failure } from '../errors.ts';

/** The document at the root, a relation, or a function, of the schema of the request if it has none. Names are decoded. */
export type Route =
  | { kind: 'root' }
  | { kind: 'relation'; name: string }
  | { kind: 'rpc'; name: string; schema?: string | undefined };

/** What the root answers with. */
interface RootSettings {
  openApiMode: 'follow-privileges' | 'ignore-privileges' | 'disabled';
  /** The function that answers instead of us. */
  rootFunction: { name: string; schema: string | undefined } | undefined;
}

/**
 * Reads a path, still percent-encoded and without the prefix of the service: `/`, `/films`, `/rpc/now`. Names are
 * decoded once.
 * @throws PGRST125 for any other path, PGRST126 for the root where it is disabled
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
