/** Renders a provider's widget, and passes its results to the store. */
import type { Language } from '../../lib/language.ts';
import type { CaptchaSettings } from '../../lib/page/captcha-settings.ts';
import type { ColourMode } from '../../ui/colour-mode.ts';
import { type CaptchaApi, loadCaptcha } from './captcha-script.ts';
import { captchaStore } from './captcha-store.ts';

/** Below this width, the normal widgets of both providers do not fit (px). */
const NORMAL_WIDTH = 304;

/** Theme and language. */
interface Appearance {
  theme: ColourMode;
  language: Language;
}

/** Shows the widget inside of `container`, after its script is loaded. Returns a function that removes it. */
export function showWidget(
  container: HTMLElement,
  settings: CaptchaSettings,
  appearance: Appearance,
): () => void {
  // Providers leave elements behind in their container.
  const own = document.createElement('div');
  container.append(own);
  let isRemoved = false;
  let remove = () => {};
  const fail = () => {
    if (!isRemoved) captchaStore.show('failed');
  };
  captchaStore.show('loading');
  loadCaptcha(settings)
    .then((api) => {
      if (!isRemoved) remove = render(api, own, settings, appearance, fail);
    })
    .catch(fail);
  return () => {
    isRemoved = true;
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
  { theme, language }: Appearance,
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
