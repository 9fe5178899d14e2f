/** Where the data of a page is: `{path}/_payload.json?{buildId}` behind the page's own path. */
import { withBase, withoutBase } from '../page/base-path.ts';

const FILE = '/_payload.json';
/** A build's id as the last parameter: it only makes the addresses of different builds differ. */
const BUILD_PARAMETER = /(?:^|&)(?:dev|[0-9a-f]{8,64})$/;

/** What an address depends on beside its page. */
interface PayloadPlace {
  baseURL: string;
  buildId: string;
}

/**
 * Path of the payload for a page's path with query, both as they are on the site.
 * @example payloadPath('/login?mode=sign-up', { baseURL: '/', buildId: 'dev' }) // '/login/_payload.json?mode=sign-up&dev'
 */
export function payloadPath(page: string, { baseURL, buildId }: PayloadPlace): string {
  const [path = '', ...queries] = withoutBase(page.split('#', 1)[0] ?? '', baseURL).split('?');
  const query = queries.join('?');
  const file = path === '/' ? FILE : path + FILE;
  return `${withBase(file, baseURL)}?${query === '' ? '' : `${query}&`}${buildId}`;
}

/** The page, path with query, whose payload is at a path; undefined where the path is none of a payload. */
export function pageOfPayload(target: string): string | undefined {
  const [path = '', ...queries] = target.split('?');
  if (!path.endsWith(FILE)) return undefined;
  const query = queries.join('?').replace(BUILD_PARAMETER, '');
  return (path.slice(0, -FILE.length) || '/') + (query === '' ? '' : `?${query}`);
}
