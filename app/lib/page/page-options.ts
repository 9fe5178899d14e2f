/** What the server that runs the app decides for it, and what it gets in return. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { GuardRules } from '../guard.ts';
import type { CaptchaSettings } from './captcha-settings.ts';
import type { PageProvider } from './page-provider.ts';

/** The log of the server; only what the app needs of it. */
export interface PageLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** One-time links that make a visitor the first administrator. */
interface FirstAdminLinks {
  /** Tells whether a link with this token may still be used. */
  isOpen(token: string): Promise<boolean>;
  /** Whether the link is open and the instance has no account yet, so that its visitor must sign up first. */
  needsFirstAccount(token: string): Promise<boolean>;
  /** Uses the link for a user id (UUID). */
  claim(token: string, userId: string): Promise<'claimed' | 'refused'>;
}

/** Where a site is. Paths have a slash at both ends. */
export interface SitePlace {
  /** Path below which the app is served: `/`, or e.g. `/app/`. */
  baseURL: string;
  /** Where browsers load the built files from, without a slash at the end; empty: the site itself. */
  cdnURL: string;
  /** Folder of the built files below the base, or on the CDN. */
  buildAssetsDir: string;
}

/** Settings of the pages. */
export interface PageOptions {
  /** Where the app's server calls the backend, e.g. `http://127.0.0.1:54321`. */
  apiUrl: string;
  /** Where browsers call it; undefined where it has the origin of the page. */
  publicApiUrl: string | undefined;
  anonKey: string;
  /** Added to every call that the app's server makes for a visitor; the local backend then believes whose it is. */
  visitorHeaders: Readonly<Record<string, string>>;
  /** For calls of the admin area, on the server only. Undefined where there is none: the admin area says so. */
  serviceRoleKey: string | undefined;
  /** Public origin. Undefined: taken from each request. An https one makes cookies `Secure`. */
  publicUrl: string | undefined;
  place: SitePlace;
  /** How often an open page asks whether there is a newer build, in seconds; 0: never. */
  buildCheckSeconds: number;
  /** Paths (patterns, `*` is any run of characters) that lead to other paths of the app, or to other sites. */
  redirects: readonly { from: string; to: string }[];
  /** OAuth providers that the sign-in page offers. */
  providers: readonly PageProvider[];
  /** All OAuth providers that a backend may have: titles and icons for the account page. */
  knownProviders: readonly PageProvider[];
  /** The captcha of the sign-in page. Undefined: none. */
  captcha: CaptchaSettings | undefined;
  /** Present where the local backend runs. */
  firstAdmin: FirstAdminLinks | undefined;
  /** Where a session is needed; `saveRedirect` keeps the requested path for after the login. */
  guard: GuardRules & { saveRedirect: boolean };
  /** Storage key of the session. Undefined: `sb-{first label of the API's host}-auth-token`. */
  cookiePrefix: string | undefined;
  log: PageLog;
}

/** Options of the pages in development; hot reload speaks over `httpServer` when it is given. */
export interface DevPageOptions extends PageOptions {
  httpServer?: Server;
}

/** What the server knows of a request before the app sees it. */
export interface RequestFacts {
  /** In the answer's header, in the log, and shown to the visitor when something fails. */
  requestId: string;
  /** Address of the visitor; behind trusted proxies, the one that they name. So it is with the next two. */
  clientAddress: string;
  protocol: string;
  /** The keys that limits count the visitor under; none where limits per client do not apply. */
  clientKeys: readonly string[];
  /** Host, with the port where it is not the usual one. Undefined where the request names none. */
  host: string | undefined;
}

/**
 * Answers a request whose body is unread, whatever its path. Resolves when the answer is written or the visitor has
 * left; rejects only where nothing could be answered.
 */
export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  facts: RequestFacts,
) => Promise<void>;

/** Text that is served beside the pages, ready to be sent. */
export interface SiteText {
  /** Path on the site. */
  path: string;
  contentType: string;
  text: string;
}

/** A folder of files that is served beside the pages. */
export interface SiteFolder {
  directory: URL;
  /** Path on the site, with a slash at both ends. */
  prefix: string;
}

/** The app of one site: pages, and everything that browsers load for them. */
export interface SitePages {
  handler: PageHandler;
  /** Built files. Their names change with their content, but for {@link LATEST_BUILD_FILE}. */
  assets: SiteFolder;
  /** Files with lasting names, such as the favicon. */
  publicFiles: SiteFolder;
  /** Texts whose paths change with their content. */
  texts: readonly SiteText[];
}

/** The one built file that changes with every build and keeps its name: it says which build is the newest. */
export const LATEST_BUILD_FILE = 'builds/latest.json';

/** Middleware in Connect's form. */
export type DevMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;
