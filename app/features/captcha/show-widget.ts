/** Puts a provider's widget into the page, and passes on what it says to the page's forms. */
import type { Language } from '../../lib/language.ts';
import type { CaptchaSettings } from '../../lib/page/captcha-settings.ts';
import type { ColourMode } from '../../ui/colour-mode.ts';
import { type CaptchaApi, loadCaptcha } from './captcha-script.ts';
import { captchaStore } from './captcha-store.ts';

/** Below it the usual widgets of both providers do not fit (px). */
const NORMAL_WIDTH = 304;

/** How it looks. */
interface Look {
  theme: ColourMode;
  language: Language;
}

/** Shows it inside of `place`, once its script is there. Returns how to take it away. */
export function showWidget(place: HTMLElement, settings: CaptchaSettings, look: Look): () => void {
  // Providers leave things behind in the element that they were given.
  const own = document.createElement('div');
  place.append(own);
  let isGone = false;
  let remove = () => {};
  const fail = () => {
    if (!isGone) captchaStore.show('failed');
  };
  captchaStore.show('loading');
  loadCaptcha(settings)
    .then((api) => {
      if (!isGone) remove = render(api, own, settings, look, fail);
    })
    .catch(fail);
  return () => {
    isGone = true;
    captchaStore.onSpent(undefined);
    captchaStore.show('loading');
    remove();
    own.remove();
  };
}

function render(
  api: CaptchaApi,
  place: HTMLElement,
  { siteKey }: CaptchaSettings,
  { theme, language }: Look,
  fail: () => void,
): () => void {
  captchaStore.show('ready');
  const id = api.render(place, {
    sitekey: siteKey,
    theme,
    size: place.clientWidth < NORMAL_WIDTH ? 'compact' : 'normal',
    hl: language,
    language,
    callback: captchaStore.solve,
    'expired-callback': () => captchaStore.show('expired'),
    'error-callback': fail,
    'unsupported-callback': fail,
  });
  captchaStore.onSpent(() => api.reset(id));
  return () => api.remove(id);
}
