/** The token as a hidden field of a form. */
import { useEffect, useRef } from 'react';
import { CAPTCHA_FIELD } from './captcha-field.ts';
import { captchaStore, useCaptchaState } from './captcha-store.ts';

/** Id of the captcha's status text, which describes the buttons that need its token. */
export const CAPTCHA_STATE_ID = 'captcha-state';

/** Without a token, the form is not submitted, and the widget shows the reason. */
export function CaptchaToken() {
  const { token } = useCaptchaState();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => (field.current?.form ? guard(field.current.form) : undefined), []);
  return <input ref={field} type="hidden" name={CAPTCHA_FIELD} value={token} />;
}

/** Modifies the form's DOM, so that forms need no code for the captcha on sites without one. */
function guard(form: HTMLFormElement): () => void {
  for (const button of form.querySelectorAll('button[type=submit]')) {
    button.setAttribute('aria-describedby', CAPTCHA_STATE_ID);
  }
  // This listener runs before React's, which is on an ancestor; the router ignores a prevented event.
  const stop = (event: SubmitEvent) => {
    if (captchaStore.read().token !== '') return;
    event.preventDefault();
    captchaStore.miss();
  };
  form.addEventListener('submit', stop);
  return () => form.removeEventListener('submit', stop);
}
