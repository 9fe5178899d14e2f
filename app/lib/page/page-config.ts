/** Settings that a page carries to the browser, once, before its scripts. Nothing secret is in here. */
import type { CaptchaSettings } from './captcha-settings.ts';
import type { PageProvider } from './page-provider.ts';

/** What the browser's side knows about the site. */
export interface PageConfig {
  /** Path below which the app is, with a slash at both ends. */
  baseURL: string;
  /** Where the built files come from; empty: the page's own origin. */
  cdnURL: string;
  /** Folder of the built files, with a slash at both ends. */
  buildAssetsDir: string;
  /** Changes with every build that differs. */
  buildId: string;
  /** How often to ask whether there is a newer build, in seconds; 0: never. */
  buildCheckSeconds: number;
  /** Where the backend is; null where it is beside the app, at its base. */
  apiUrl: string | null;
  anonKey: string;
  /** Storage key of the session, and prefix of the other cookies. */
  cookiePrefix: string;
  cookieOptions: { path: string; sameSite: 'lax'; secure: boolean };
  redirectOptions: {
    login: string;
    callback: string;
    include: readonly string[];
    exclude: readonly string[];
    saveRedirectToCookie: boolean;
  };
  /** OAuth providers that the sign-in page offers. */
  providers: readonly PageProvider[];
  /** The captcha of the sign-in page; null: none. */
  captcha: CaptchaSettings | null;
}

/** Settings, and how they stand in a page. */
export interface WrittenPageConfig {
  config: PageConfig;
  text: string;
}

/** Id of the element that holds the settings. */
export const PAGE_CONFIG_ELEMENT_ID = 'page-config';

/** Writes settings down for a page. */
export function writePageConfig(config: PageConfig): WrittenPageConfig {
  return { config, text: toScriptText(config) };
}

/** Settings as JSON that cannot end the script element it stands in. */
export function toScriptText(config: PageConfig): string {
  return JSON.stringify(config).replaceAll('<', '\\u003c');
}
