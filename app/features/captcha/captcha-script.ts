/** Loads a provider's script. Both have the same few functions, and both tell by a function of the page that they are there. */
import type { CaptchaSettings } from '../../lib/page/captcha-settings.ts';

/** What a widget is made of, and whom it tells. `hl` is hCaptcha's word for the language. */
interface WidgetOptions {
  sitekey: string;
  theme: 'light' | 'dark';
  size: 'normal' | 'compact';
  hl: string;
  language: string;
  callback(token: string): void;
  'expired-callback'(): void;
  'error-callback'(): void;
  /** Turnstile: of browsers that it cannot work in. */
  'unsupported-callback'(): void;
}

/** The part of hCaptcha's and Turnstile's functions that is used here. */
export interface CaptchaApi {
  /** Puts a widget into an element; gives its id. */
  render(place: HTMLElement, options: WidgetOptions): string;
  /** Begins anew, without a token. */
  reset(id: string): void;
  remove(id: string): void;
}

type Holder = Record<string, unknown> & Partial<Record<CaptchaSettings['provider'], CaptchaApi>>;

/** Name of the function that the script calls when it is ready. */
const READY_FUNCTION = 'onCaptchaReady';
/** Some things that block scripts let them hang. */
const LOAD_TIMEOUT_MS = 20_000;

const loading = new Map<string, Promise<CaptchaApi>>();

/** Loads it once; after a failure again. Rejects where it cannot be loaded, or is no such script. */
export function loadCaptcha(settings: CaptchaSettings): Promise<CaptchaApi> {
  const url = captchaScriptUrl(settings);
  const known = loading.get(url);
  if (known) return known;
  const load = runScript(url, settings.provider);
  loading.set(url, load);
  load.catch(() => loading.delete(url));
  return load;
}

/** Address of the script that waits to be told what to render. Turnstile ignores what only hCaptcha knows. */
export function captchaScriptUrl({ scriptUrl }: CaptchaSettings): string {
  const url = new URL(scriptUrl);
  url.searchParams.set('render', 'explicit');
  url.searchParams.set('onload', READY_FUNCTION);
  // It would pose as another provider's, too.
  url.searchParams.set('recaptchacompat', 'off');
  return url.href;
}

function runScript(url: string, provider: CaptchaSettings['provider']): Promise<CaptchaApi> {
  const holder = window as unknown as Holder;
  const script = document.createElement('script');
  const { promise, resolve, reject } = Promise.withResolvers<CaptchaApi>();
  const settle = () => {
    const api = holder[provider];
    if (api) resolve(api);
    else reject(new Error(`${url} is no script of ${provider}.`));
  };
  const fail = () => reject(new Error(`${url} could not be loaded.`));
  holder[READY_FUNCTION] = settle;
  script.src = url;
  script.async = true;
  script.onerror = fail;
  // A script that has run and left nothing is another one. This one may still be getting ready.
  script.onload = () => holder[provider] || settle();
  const timer = setTimeout(fail, LOAD_TIMEOUT_MS);
  document.head.append(script);
  promise.catch(() => script.remove()).finally(() => clearTimeout(timer));
  return promise;
}
