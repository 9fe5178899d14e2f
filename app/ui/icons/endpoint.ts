/**
 * `GET {base}api/_icons/{collection}.json?icons=a,b`: icons in Iconify's format, only from the installed
 * packages.
 */
import * as CONSTANTS from '../../constants.ts';
import { type Collections, loadCollections } from './collections.ts';
import { isSimpleName } from './names.ts';

const METHODS = 'GET, HEAD';
const ONE_WEEK_SECONDS = 604_800;

/** The response. */
interface IconsResponse {
  status: number;
  headers: Record<string, string>;
  body: object;
}

/** A request for icons. */
interface IconsQuery {
  method: string;
  /** The whole request target, for messages and for its length. */
  url: string;
  /** Last segment of the path, e.g. `lucide.json`. */
  file: string;
  /** Names separated by commas; undefined if the URL has none. */
  icons: string | undefined;
}

const HEADERS = {
  'cache-control': `public, max-age=${ONE_WEEK_SECONDS}, stale-while-revalidate=${ONE_WEEK_SECONDS}`,
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
};

/** Responds to a request; errors are JSON with a status of 400 or more. */
export async function handleIconsRequest(query: IconsQuery): Promise<IconsResponse> {
  const { method, url, file, icons } = query;
  if (method !== 'GET' && method !== 'HEAD') {
    return refuse(url, 405, `Icons support only the methods ${METHODS}.`, { allow: METHODS });
  }
  if (url.length > CONSTANTS.icon.maxUrlCharacters) {
    return refuse(
      url,
      414,
      `The URL is too long. The maximum is ${CONSTANTS.icon.maxUrlCharacters} characters.`,
    );
  }
  const prefix = file.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
  const collections = await loadCollections();
  const collection = isSimpleName(prefix) ? collections.collection(prefix) : undefined;
  if (!collection) return refuse(url, 404, 'Unknown icon collection.');
  const names = icons?.split(',').filter((name) => name !== '') ?? [];
  if (names.length === 0)
    return refuse(url, 400, 'The parameter "icons" is missing or empty, for example icons=a,b.');
  const { lastModified, width, height } = collection;
  const body = { prefix, lastModified, width, height, ...selectIcons(collections, prefix, names) };
  return { status: 200, headers: HEADERS, body };
}

/** Returns the requested icons with aliases resolved, and the names of missing ones. */
function selectIcons(collections: Collections, prefix: string, names: readonly string[]) {
  const found = names.map(
    (name) => [name, isSimpleName(name) && collections.find(`${prefix}:${name}`)] as const,
  );
  const icons = Object.fromEntries(found.filter(([, shape]) => shape));
  const notFound = found.filter(([, shape]) => !shape).map(([name]) => name);
  return { icons, ...(notFound.length > 0 && { not_found: notFound }) };
}

function refuse(
  url: string,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): IconsResponse {
  const path = url.slice(0, CONSTANTS.icon.maxUrlCharacters);
  const statusText = status === 404 ? 'Page Not Found' : 'Bad Request';
  const body = { error: true, url: path, status, statusText, message, data: { path } };
  return { status, headers: { 'cache-control': 'no-store', ...headers }, body };
}
