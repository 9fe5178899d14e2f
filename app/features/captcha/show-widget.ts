/** Renders a provider's widget, and passes its results to the store. */
import type { Language } from '../../lib/language.ts';
import type { CaptchaSettings } from '../../lib/page/captcha-settings.ts';
import type { ColourMode } from '../../ui/colour-mode.ts';
import { type CaptchaApi, loadCaptcha } from './captcha-script.ts';
import { captchaStore } from './captcha-store.ts';

/** Below this width, the normal widgets of both providers do not fit (px). */
const NORMAL_WIDTH = 304;

/** Theme and language. */
interface Look {
  theme: ColourMode;
  language: Language;
}

/** Shows the widget inside of `container`, after its script is loaded. Returns a function that removes it. */
export function showWidget(container: HTMLElement, settings: CaptchaSettings, look: Look): () => void {
  // Providers leave elements behind in their container.
  const own = document.createElement('div');
  container.append(own);
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
    captchaStore.setReset(undefined);
    captchaStore.show('loading');
    remove();
    own.remove();
  };
}

function render(
  api: CaptchaApi,
  container: HTMLElement,
  { siteKey }: CaptchaSettings,
  { theme, language }: Look,
  fail: () => void,
): () => void {
  captchaStore.show('ready');
  const id = api.render(container, {
    sitekey: siteKey,
    theme,
    size: container.clientWidth < NORMAL_WIDTH ? 'compact' : 'normal',
    hl: language,
    language,
    callback: captchaStore.solve,
    'expired-callback': () => captchaStore.show('expired'),
    'error-callback': fail,
    'unsupported-callback': fail,
  });
  captchaStore.setReset(() => api.reset(id));
  return () => api.remove(id);
}
