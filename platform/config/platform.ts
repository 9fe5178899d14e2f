/** The platform's own settings (the app's too: it has only a few). */
import { z } from 'zod';
import { signingKeysVariable } from './auth/signing-keys.ts';
import { captchaWidgetVariables } from './captcha-widget.ts';
import { isPostgresUrl } from './libpq.ts';
import { redirectRules } from './redirect-rules.ts';
import { FILE_ALLOWED } from './setting-files.ts';
import {
  booleanVariable,
  folderVariable,
  integerVariable,
  listVariable,
  textVariable,
  urlVariable,
  variable,
} from './variable.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
/** An HS256 key shorter than its hash weakens it (RFC 7518 §3.2). */
const MIN_SECRET_LENGTH = 32;

/** One address or a range of them. A range of all addresses would believe anybody, who could then be anybody. */
const ADDRESSES = z
  .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
  .refine((text) => !text.endsWith('/0'));

/** The path is the number of a database. */
function isRedisUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname } = new URL(text);
  return /^rediss?:$/.test(protocol) && hostname !== '' && /^(\/\d{0,4})?$/.test(pathname);
}

/** Environment variables of the platform and the app. */
export const platformVariables = {
  PORT: integerVariable(0, 65_535, {
    default: '54321',
    description: 'Port of everything; 0 takes any free one.',
  }),
  HOST: variable(z.union([z.ipv4(), z.ipv6(), z.hostname()]), 'an IP address or a host name', {
    default: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 for all.',
  }),
  GREENROOM_DATA_DIR: textVariable('a path', {
    default: '.greenroom',
    description: 'The data folder: database, files, keys.',
  }),
  GREENROOM_DB_PORT: integerVariable(1, 65_535, {
    default: undefined,
    description: 'Port of the embedded PostgreSQL. Unset: 54322, or the next free one.',
  }),
  GREENROOM_DB_MEMORY_LIMIT: integerVariable(0, 1_048_576, {
    default: undefined,
    description:
      'Most memory of each connection of the embedded PostgreSQL, in megabytes; 0: no limit. A statement that needs more fails with 53200. Unset: a thirty-second of the machine, from 512 to 2048.',
  }),
  DATABASE_URL: variable(
    z.string().refine(isPostgresUrl),
    `postgresql://user:password@host:port/database, or ${FILE_ALLOWED}`,
    {
      default: undefined,
      secret: true,
      description: 'An external PostgreSQL (15 to 18) instead of the embedded one.',
    },
  ),
  REDIS_URL: variable(
    z.string().refine(isRedisUrl),
    `redis://user:password@host:port/number or rediss://…, or ${FILE_ALLOWED}`,
    {
      default: undefined,
      secret: true,
      description:
        'A Redis (6.2 or later) that several nodes on one external PostgreSQL talk to each other by. Unset: they do so by PostgreSQL.',
    },
  ),
  GOTRUE_JWT_KEYS: signingKeysVariable({
    default: undefined,
    description: 'Keys of tokens: the one with key_ops "sign" signs, the others only verify.',
  }),
  GREENROOM_SIGNING_KEYS_FILE: textVariable('a path', {
    default: undefined,
    description: 'The same from a file, e.g. supabase/signing_keys.json.',
  }),
  GREENROOM_JWT_SECRET: variable(
    z.string().min(MIN_SECRET_LENGTH),
    `at least ${MIN_SECRET_LENGTH} characters`,
    {
      default: undefined,
      secret: true,
      description: 'Shared HS256 secret. Unset: the one generated into keys.json.',
    },
  ),
  GREENROOM_REQUIRE_API_KEY: booleanVariable({
    default: 'true',
    description: 'Whether calls of the API need an `apikey`; where false, a call without one is anonymous.',
  }),
  GREENROOM_PUBLIC_URL: urlVariable({
    default: undefined,
    description:
      'Public URL of this server: pages, links in mails, passkeys and the API, e.g. https://example.org. Unset: SITE_URL, or http://localhost:PORT.',
  }),
  SITE_URL: urlVariable({
    default: undefined,
    description:
      'Where sign-ins end that name no other page. Unset: GREENROOM_PUBLIC_URL. Without GREENROOM_PUBLIC_URL it is also the public URL of the pages.',
  }),
  GREENROOM_TRUST_PROXY: listVariable(
    'IP addresses or CIDR ranges, separated by commas',
    {
      default: undefined,
      description: 'Reverse proxies whose X-Forwarded-… headers are believed.',
    },
    ADDRESSES,
  ),
  GREENROOM_MAX_CONNECTIONS_PER_CLIENT: integerVariable(1, 1_000_000, {
    default: '1000',
    description:
      'Most connections of one client address (an IPv6 /48 is one client); more are refused with 429. Trusted proxies are not limited.',
  }),
  GREENROOM_BASE_URL: folderVariable({
    default: undefined,
    description: 'Path below which the app is served. Unset: the path of GREENROOM_PUBLIC_URL, or /.',
  }),
  GREENROOM_CDN_URL: urlVariable({
    default: undefined,
    description:
      'Where browsers load the built files from, e.g. https://cdn.example.org. Unset: the app itself.',
  }),
  GREENROOM_BUILD_ASSETS_DIR: folderVariable({
    default: '/assets/',
    description: 'Folder of the built files below the base path, or on the CDN.',
  }),
  GREENROOM_BUILD_CHECK_SECONDS: integerVariable(0, 86_400, {
    default: '3600',
    description: 'How often an open page asks whether there is a newer version; 0: never.',
  }),
  LOG_LEVEL: variable(z.enum(LOG_LEVELS), LOG_LEVELS.join(', '), {
    default: 'info',
    description: 'Least level logged.',
  }),
  SUPABASE_URL: urlVariable({
    default: undefined,
    description: 'Run the app alone, on the hosted backend of this URL. Needs SUPABASE_ANON_KEY.',
  }),
  SUPABASE_ANON_KEY: textVariable('the anon or publishable key of that backend', {
    default: undefined,
    description: 'API key of the hosted backend.',
  }),
  SUPABASE_SERVICE_ROLE_KEY: textVariable('the service_role or secret key of that backend', {
    default: undefined,
    secret: true,
    description:
      'For the admin area on a hosted backend, and to remove the files of deleted accounts; stays on the server.',
  }),
  GOOGLE_CLIENT_ID: textVariable('an OAuth client id', {
    default: undefined,
    description: 'Offers "Continue with Google" on the sign-in page.',
  }),
  ...captchaWidgetVariables,
  GREENROOM_GUARD_INCLUDE: listVariable('path patterns separated by commas, * is any run of characters', {
    default: undefined,
    description: 'Restricts the session guard to these paths.',
  }),
  GREENROOM_GUARD_EXCLUDE: listVariable('path patterns separated by commas, * is any run of characters', {
    default: '',
    description: 'Paths that need no session.',
  }),
  GREENROOM_REDIRECTS: variable(
    redirectRules,
    'from=to separated by commas, e.g. /old=/new,/docs*=https://docs.example.org',
    {
      default: '',
      description: 'Paths of the app that lead elsewhere; * is any run of characters.',
    },
  ),
  GREENROOM_SAVE_REDIRECT: booleanVariable({
    default: 'true',
    description: 'Whether a visitor sent to the sign-in page comes back to the page first asked for.',
  }),
  GREENROOM_COOKIE_PREFIX: variable(z.string().regex(/^[\w-]{1,64}$/), '1 to 64 letters, digits, _ and -', {
    default: undefined,
    description: 'Name of the session cookies. Unset: sb-<first label of the API host>-auth-token.',
  }),
};
