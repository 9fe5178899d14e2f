/** Values that middleware, loaders and actions find in the router's context. */
import { createContext } from 'react-router';
import { LANGUAGES, type Language } from '../../lib/language.ts';
import type { WrittenPageConfig } from '../../lib/page/page-config.ts';
import type { PageOptions } from '../../lib/page/page-options.ts';
import type { Backend } from '../../session/backend.server.ts';
import type { CookieJar } from '../../session/cookie-jar.server.ts';
import type { Visit } from '../../session/page-build.ts';
import type { Session } from '../../session/read-session.server.ts';
import type { RouteFactsByPattern } from './route-facts.server.ts';
import type { SharedPages } from './shared-pages.server.ts';

/** Values that all requests of a server share. */
export interface Site {
  options: PageOptions;
  cookiePrefix: string;
  /** Settings for visitors who use http, and https. */
  pageConfigs: { http: WrittenPageConfig; https: WrittenPageConfig };
  backend: Backend;
  mode: 'production' | 'development';
  sharedPages: SharedPages;
  symbolOf(fullName: string): string | undefined;
}

/** Facts about all routes of the build. */
export const routeFactsContext = createContext<RouteFactsByPattern>();
export const siteContext = createContext<Site>();
/** The request itself, for functions that receive only the context. */
export const requestContext = createContext<Request>();
export const visitContext = createContext<Visit>();
/** Language of the visitor. Set by the root's middleware. */
export const languageContext = createContext<Language>(LANGUAGES[0]);
export const cookieContext = createContext<CookieJar>();
/** The verified session; undefined for a visitor without one. Set by the root's middleware. */
export const sessionContext = createContext<Session | undefined>();
/**
 * True if an action has responded: the page shows the action's data. Loaders that run after it cannot see
 * that the request was a POST.
 */
export const actionRanContext = createContext(false);
