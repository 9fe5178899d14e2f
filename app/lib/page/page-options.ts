/** Options that the server passes to the app, and the objects that the app returns. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Product } from '@greenroom/product';
import type { GuardRules } from '../guard.ts';
import type { ServerTask } from '../server-hooks.ts';
import type { CaptchaSettings } from './captcha-settings.ts';
import type { PageProvider } from './page-provider.ts';

/** The methods of the server's log that the app needs. */
export interface PageLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** One-time links that make a visitor the first administrator. */
interface FirstAdminLinks {
  /** Returns whether a link with this token can still be used. */
  isOpen(token: string): Promise<boolean>;
  /**
   * Returns whether the link is valid and the instance has no account yet, so that its visitor must sign up
   * first.
   */
  needsFirstAccount(token: string): Promise<boolean>;
  /** Uses the link for a user id (UUID). */
  claim(token: string, userId: string): Promise<'claimed' | 'refused'>;
}

/** An account that was deleted. */
export interface DeletedAccount {
  id: string;
  /** Milliseconds since the epoch. */
  deletedAt: number;
}

/** The deleted accounts whose files remain to be removed from storage. */
export interface DeletedAccounts {
  /** Returns some of them; each is returned again later. */
  list(): Promise<readonly DeletedAccount[]>;
  forget(id: string): Promise<void>;
}

/** Values of the built-in home page: how clients reach the project. None is secret. */
interface HomePage {
  projectName: string;
  publishableKey: string;
  /** Services that run: `auth`, `data` and others. */
  services: readonly string[];
}

/** The public paths of a site. Paths have a slash at both ends. */
export interface SiteLocation {
  /** Base path of the app: `/`, or e.g. `/app/`. */
  baseURL: string;
  /**
   * Origin from which browsers load the built files, without a trailing slash; empty if it is the site
   * itself.
   */
  cdnURL: string;
  /** Folder of the built files below the base, or on the CDN. */
  buildAssetsDir: string;
}

export interface PageOptions {
  /** URL of the backend for the app's server, e.g. `http://127.0.0.1:54321`. */
  apiUrl: string;
  /** Sends requests to `apiUrl`. Default: the global fetch. */
  fetch?: typeof fetch;
  /** URL of the backend for browsers; undefined if it has the page's origin. */
  publicApiUrl: string | undefined;
  anonKey: string;
  /**
   * Headers of every call that the app's server makes for a visitor. They make the local backend trust the
   * visitor's address in the call.
   */
  visitorHeaders: Readonly<Record<string, string>>;
  /**
   * Key for calls of the admin area, on the server only. If undefined, the admin area reports that it is
   * unavailable.
   */
  serviceRoleKey: string | undefined;
  /** Whether the backend runs SQL for the admin area, at `/pg`. */
  hasMeta: boolean;
  /** Whether the backend is this instance, which has routes for operators at `/operator/v1`. */
  hasOperator: boolean;
  /** Public origin. If undefined, it is taken from each request. An https origin makes cookies `Secure`. */
  publicUrl: string | undefined;
  location: SiteLocation;
  /** Interval at which an open page checks for a newer build, in seconds; 0 disables it. */
  buildCheckSeconds: number;
  /**
   * Redirects from paths (patterns, `*` is any run of characters) to other paths of the app, or to other
   * sites.
   */
  redirects: readonly { from: string; to: string }[];
  /** OAuth providers that the sign-in page offers. */
  providers: readonly PageProvider[];
  /** All OAuth providers that a backend may have: titles and icons for the account page. */
  knownProviders: readonly PageProvider[];
  /** The captcha of the sign-in page; undefined for none. */
  captcha: CaptchaSettings | undefined;
  /** Present if the local backend runs. */
  firstAdmin: FirstAdminLinks | undefined;
  /** Present if the local backend runs. */
  deletedAccounts: DeletedAccounts | undefined;
  home: HomePage;
  /** The product whose pages, name and colours the site has; undefined if it has none. */
  product?: Product | undefined;
  /** Rules of the session guard; `saveRedirect` keeps the requested path for after the login. */
  guard: GuardRules & { saveRedirect: boolean };
  /** Storage key of the session. If undefined: `sb-{first label of the API's host}-auth-token`. */
  cookiePrefix: string | undefined;
  log: PageLog;
}

/** Options of the pages in development. Hot reload uses `httpServer` for its WebSocket if it is given. */
export interface DevPageOptions extends PageOptions {
  httpServer?: Server | undefined;
}

/** Information about a request that the server has before the app handles it. */
export interface RequestDetails {
  /** Sent in the response header, logged, and shown to the visitor when an error occurs. */
  requestId: string;
  /**
   * Address of the visitor. This field, `protocol` and `host` come from trusted proxies' headers, if there
   * are any.
   */
  clientAddress: string;
  protocol: string;
  /** Keys of the visitor for rate limits; empty if limits per client do not apply. */
  clientKeys: readonly string[];
  /** Host, with the port if it is not the default one. Undefined if the request names none. */
  host: string | undefined;
}

/**
 * Handles a request for any path, whose body is unread. Resolves when the response is written or
 * the client has disconnected; rejects only if no response could be sent.
 */
export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  info: RequestDetails,
) => Promise<void>;

/** A text that is served next to the pages, ready to be sent. */
export interface SiteText {
  /** Path on the site. */
  path: string;
  contentType: string;
  text: string;
}

/** A folder of files that is served next to the pages. */
export interface SiteFolder {
  directory: URL;
  /** Path on the site, with a slash at both ends. */
  prefix: string;
}

/** The app of one site: pages, and all files that browsers load for them. */
export interface SitePages {
  handler: PageHandler;
  /** Built files. Their names change with their content, except for {@link LATEST_BUILD_FILE}. */
  assets: SiteFolder;
  /** Files with constant names, such as the favicon. */
  publicFiles: SiteFolder;
  /** Names of files in that folder that the handler serves instead. */
  replacedFiles: ReadonlySet<string>;
  /** Texts whose paths change with their content. */
  texts: readonly SiteText[];
  /** Tasks of the product. */
  tasks: readonly ServerTask[];
}

/** The id of the newest build. It is the only built file that changes with every build and keeps its name. */
export const LATEST_BUILD_FILE = 'builds/latest.json';

/** Connect middleware. */
export type DevMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;
