/** Response headers that restrict the capabilities of a page and its use by other sites. */

import type { SourceLists } from '@greenroom/product';
import { type CaptchaSettings, captchaSources } from '../lib/page/captcha-settings.ts';
import { type ScriptSourceOptions, scriptSources } from './script-sources.ts';

/** Values that determine the headers. In development the bundler injects styles and uses a WebSocket. */
interface SecuritySettings extends ScriptSourceOptions {
  /** URL of the backend for browsers; undefined if it has the page's origin. */
  publicApiUrl: string | undefined;
  /**
   * The captcha of the sign-in page. It is part of every page's policy, because client-side navigation does
   * not load a new policy.
   */
  captcha: CaptchaSettings | undefined;
  /** Additional sources of the product. */
  sources?: SourceLists | undefined;
}

/** Values that differ between two pages. */
interface PageSecurity {
  nonce: string;
  /** Host that the visitor used, with the port if it is not the default one. */
  host: string;
  /** Another origin from which the page shows an image. */
  pictureOrigin?: string | undefined;
}

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Headers that are the same on every page. The referrer policy hides URLs from other sites, because they
 * may contain a one-time token.
 */
export const FIXED_SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'browsing-topics=(), camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Names of this machine. */
const LOCALHOST = /^(?:.+\.)?localhost(?::\d+)?$/i;

/**
 * Returns the value of `Strict-Transport-Security`, for responses over https only (RFC 6797 section 7.2).
 * Undefined for localhost: browsers would apply it to all ports, and so to other servers of a developer.
 */
export function strictTransportSecurity(host: string): string | undefined {
  return LOCALHOST.test(host) ? undefined : `max-age=${ONE_YEAR_SECONDS}`;
}

/**
 * Prepares the content security policy; the returned function formats it for one page. Scripts run only
 * from the folder of the built files or with the nonce, and forms may only be sent to this origin.
 */
export function contentSecurityPolicy(settings: SecuritySettings): (page: PageSecurity) => string {
  const api = settings.publicApiUrl === undefined ? [] : apiSources(settings.publicApiUrl);
  const { cdnURL } = settings.location;
  const files = cdnURL === '' ? ["'self'"] : ["'self'", new URL(cdnURL).origin];
  const captcha = settings.captcha && captchaSources(settings.captcha);
  const { sources } = settings;
  const from = (...sources: (readonly string[] | undefined)[]) =>
    sources.flatMap((list) => list ?? []).join(' ');
  const before = [
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    `font-src ${from(files, sources?.fonts)}`,
    // Audio and video of storage.
    `media-src ${from(files.slice(0, 1), api.slice(0, 1))}`,
    `connect-src ${from(files, api, captcha?.connect, sources?.connect)}`,
    // Documents of storage, in the browser's own viewer.
    `frame-src ${from(["'self'"], api.slice(0, 1), captcha?.frame, sources?.frames)}`,
    `style-src ${from(files, captcha?.style, sources?.styles)}${settings.isDevelopment ? " 'unsafe-inline'" : ''}`,
    `img-src ${from(files, ['data:', 'blob:'], api.slice(0, 1), sources?.images)}`,
  ].join('; ');
  const sourcesFor = scriptSources(settings);
  const otherScripts = [...(captcha?.script ?? []), ...(sources?.scripts ?? [])]
    .map((source) => ` ${source}`)
    .join('');
  return ({ nonce, host, pictureOrigin }) => {
    const { scripts, workers } = sourcesFor(host);
    const pictures = pictureOrigin === undefined ? '' : ` ${pictureOrigin}`;
    return `${before}${pictures}; worker-src ${workers}; script-src ${scripts}${otherScripts} 'nonce-${nonce}'`;
  };
}

function apiSources(publicApiUrl: string): string[] {
  const { origin } = new URL(publicApiUrl);
  return [origin, origin.replace(/^http/, 'ws')];
}
