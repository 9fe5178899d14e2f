/**
 * Loads a provider's script. Both providers have the same functions, and both call a global function when
 * they are ready.
 */
import type { CaptchaSettings } from '../../lib/page/captcha-settings.ts';

/** Settings and callbacks of a widget. `hl` is hCaptcha's name for the language. */
interface WidgetOptions {
  sitekey: string;
  theme: 'light' | 'dark';
  size: 'normal' | 'compact';
  hl: string;
  language: string;
  callback(token: string): void;
  'expired-callback'(): void;
  'error-callback'(): void;
  /** Turnstile only: called in unsupported browsers. */
  'unsupported-callback'(): void;
}

/** The functions of hCaptcha and Turnstile that are used here. */
export interface CaptchaApi {
  /** Renders a widget into an element; returns its id. */
  render(container: HTMLElement, options: WidgetOptions): string;
  /** Restarts the widget without a token. */
  reset(id: string): void;
  remove(id: string): void;
}

type ProviderGlobals = Record<string, unknown> & Partial<Record<CaptchaSettings['provider'], CaptchaApi>>;

/** Name of the global function that the script calls when it is ready. */
const READY_FUNCTION = 'onCaptchaReady';
/** Some blockers let requests hang instead of failing them. */
const LOAD_TIMEOUT_MS = 20_000;

const loading = new Map<string, Promise<CaptchaApi>>();

/**
 * Loads a script once; retries after a failure. Rejects if it cannot be loaded, or is not the provider's
 * script.
 */
export function loadCaptcha(settings: CaptchaSettings): Promise<CaptchaApi> {
  const url = captchaScriptUrl(settings);
  const known = loading.get(url);
  if (known) return known;
  const load = runScript(url, settings.provider);
  loading.set(url, load);
  load.catch(() => loading.delete(url));
  return load;
}

/**
 * Returns the script's URL with explicit rendering. Turnstile ignores parameters that only hCaptcha knows.
 */
export function captchaScriptUrl({ scriptUrl }: CaptchaSettings): string {
  const url = new URL(scriptUrl);
  url.searchParams.set('render', 'explicit');
  url.searchParams.set('onload', READY_FUNCTION);
  // Otherwise hCaptcha would also define the API of reCAPTCHA.
  url.searchParams.set('recaptchacompat', 'off');
  return url.href;
}

function runScript(url: string, provider: CaptchaSettings['provider']): Promise<CaptchaApi> {
  const globals = window as unknown as ProviderGlobals;
  const script = document.createElement('script');
  const { promise, resolve, reject } = Promise.withResolvers<CaptchaApi>();
  const settle = () => {
    const api = globals[provider];
    if (api) resolve(api);
    else reject(new Error(`${url} is no script of ${provider}.`));
  };
  const fail = () => reject(new Error(`${url} could not be loaded.`));
  globals[READY_FUNCTION] = settle;
  script.src = url;
  script.async = true;
  script.onerror = fail;
  // A script that has run without defining anything is not the provider's. The provider's may still be
  // initializing.
  script.onload = () => globals[provider] || settle();
  const timer = setTimeout(fail, LOAD_TIMEOUT_MS);
  document.head.append(script);
  promise.catch(() => script.remove()).finally(() => clearTimeout(timer));
  return promise;
}
