/** Settings that a page carries to the browser in an element before its scripts. They contain no secrets. */
import type { CaptchaSettings } from './captcha-settings.ts';
import type { PageProvider } from './page-provider.ts';
import type { Site } from './site.ts';

/** Settings of the site for the browser. */
export interface PageConfig {
  /** Base path of the app, with a slash at both ends. */
  baseURL: string;
  /** Origin of the built files; empty if they come from the page's own origin. */
  cdnURL: string;
  /** Folder of the built files, with a slash at both ends. */
  buildAssetsDir: string;
  /** Changes with every build that differs. */
  buildId: string;
  /** Interval of the check for a newer build, in seconds; 0 disables it. */
  buildCheckSeconds: number;
  /** URL of the backend; null if the backend has the app's origin and base path. */
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
  /** The captcha of the sign-in page; null for none. */
  captcha: CaptchaSettings | null;
  /** Values of the product; absent if it sets none. */
  site?: Site;
}

/** Settings, and their text in a page. */
export interface WrittenPageConfig {
  config: PageConfig;
  text: string;
}

/** Id of the element that holds the settings. */
export const PAGE_CONFIG_ELEMENT_ID = 'page-config';

/** Serializes the settings for a page. */
export function writePageConfig(config: PageConfig): WrittenPageConfig {
  return { config, text: toScriptText(config) };
}

/** Serializes settings to JSON that cannot close the script element around it. */
export function toScriptText(config: PageConfig): string {
  return JSON.stringify(config).replaceAll('<', '\\u003c');
}
