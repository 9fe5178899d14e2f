/** Path of a page's data: `{path}/_payload.json?{buildId}`. */
import { withBase, withoutBase } from '../page/base-path.ts';

const FILE = '/_payload.json';
/** The id of a build as the last parameter. It only makes the URLs of different builds differ. */
const BUILD_PARAMETER = /(?:^|&)(?:dev|[0-9a-f]{8,64})$/;

/** Settings of the site that a payload's URL depends on. */
interface PayloadLocation {
  baseURL: string;
  buildId: string;
}

/**
 * Returns the path of the payload for a page. Both include the query and the site's base path.
 * @example payloadPath('/login?mode=sign-up', { baseURL: '/', buildId: 'dev' }) // '/login/_payload.json?mode=sign-up&dev'
 */
export function payloadPath(page: string, { baseURL, buildId }: PayloadLocation): string {
  const [path = '', ...queries] = withoutBase(page.split('#', 1)[0] ?? '', baseURL).split('?');
  const query = queries.join('?');
  const file = path === '/' ? FILE : path + FILE;
  return `${withBase(file, baseURL)}?${query === '' ? '' : `${query}&`}${buildId}`;
}

/** Returns the page (path with query) that a payload path belongs to; undefined if it is no payload path. */
export function pageOfPayload(target: string): string | undefined {
  const [path = '', ...queries] = target.split('?');
  if (!path.endsWith(FILE)) return undefined;
  const query = queries.join('?').replace(BUILD_PARAMETER, '');
  return (path.slice(0, -FILE.length) || '/') + (query === '' ? '' : `?${query}`);
}
