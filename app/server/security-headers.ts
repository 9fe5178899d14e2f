/** The headers that limit what a page may do, and what may be done with it. */
import { type CaptchaSettings, captchaSources } from '../lib/page/captcha-settings.ts';
import { type ScriptPlace, scriptSources } from './script-sources.ts';

/** What the headers depend on. In development the bundler injects styles, and talks over a socket. */
interface SecuritySettings extends ScriptPlace {
  /** Where browsers call the backend; undefined where it has the origin of the page. */
  publicApiUrl: string | undefined;
  /** The captcha of the sign-in page. A page becomes another one without a new policy, so it is in that of all pages. */
  captcha: CaptchaSettings | undefined;
}

/** What differs between two pages. */
interface PageSecurity {
  nonce: string;
  /** Host that the visitor has used, with the port where it is not the usual one. */
  host: string;
  /** Another site from which the page shows a picture. */
  pictureOrigin?: string | undefined;
}

const ONE_YEAR_SECONDS = 31_536_000;

/** The same on every page. Of an own page's address, another site learns nothing: it may hold a one-time token. */
export const FIXED_SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'browsing-topics=(), camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Value of `Strict-Transport-Security`, for answers over https only (RFC 6797 section 7.2). */
export const STRICT_TRANSPORT_SECURITY = `max-age=${ONE_YEAR_SECONDS}`;

/**
 * Prepares the content security policy; the function returned writes it for one page. Scripts run only from the folder
 * of the built files or with the nonce, and a form may be sent only to this origin.
 */
export function contentSecurityPolicy(settings: SecuritySettings): (page: PageSecurity) => string {
  const api = settings.publicApiUrl === undefined ? [] : apiSources(settings.publicApiUrl);
  const { cdnURL } = settings.place;
  const files = cdnURL === '' ? ["'self'"] : ["'self'", new URL(cdnURL).origin];
  const captcha = settings.captcha && captchaSources(settings.captcha);
  const from = (...sources: (readonly string[] | undefined)[]) =>
    sources.flatMap((some) => some ?? []).join(' ');
  const before = [
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
    `font-src ${files.join(' ')}`,
    // Sounds and films of storage.
    `media-src ${from(files.slice(0, 1), api.slice(0, 1))}`,
    `connect-src ${from(files, api, captcha?.connect)}`,
    // Documents of storage, in the browser's own viewer.
    `frame-src ${from(["'self'"], api.slice(0, 1), captcha?.frame)}`,
    `style-src ${from(files, captcha?.style)}${settings.isDevelopment ? " 'unsafe-inline'" : ''}`,
    `img-src ${[...files, 'data:', 'blob:', ...api.slice(0, 1)].join(' ')}`,
  ].join('; ');
  const sourcesFor = scriptSources(settings);
  const captchaScripts = captcha === undefined ? '' : ` ${captcha.script.join(' ')}`;
  return ({ nonce, host, pictureOrigin }) => {
    const { scripts, workers } = sourcesFor(host);
    const pictures = pictureOrigin === undefined ? '' : ` ${pictureOrigin}`;
    return `${before}${pictures}; worker-src ${workers}; script-src ${scripts}${captchaScripts} 'nonce-${nonce}'`;
  };
}

function apiSources(publicApiUrl: string): string[] {
  const { origin } = new URL(publicApiUrl);
  return [origin, origin.replace(/^http/, 'ws')];
}
