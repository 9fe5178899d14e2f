/** The token as a hidden field of its form. */
import { useEffect, useRef } from 'react';
import { CAPTCHA_FIELD } from './captcha-field.ts';
import { captchaStore, useCaptchaState } from './captcha-store.ts';

/** Id of the words that say how the captcha stands: what describes the buttons that need its token. */
export const CAPTCHA_STATE_ID = 'captcha-state';

/** Without a token the form stays, and the widget says why. */
export function CaptchaToken() {
  const { token } = useCaptchaState();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => (field.current?.form ? guard(field.current.form) : undefined), []);
  return <input ref={field} type="hidden" name={CAPTCHA_FIELD} value={token} />;
}

/** Done to the form as it stands, so that the forms of a site without a captcha need to know nothing of it. */
function guard(form: HTMLFormElement): () => void {
  for (const button of form.querySelectorAll('button[type=submit]')) {
    button.setAttribute('aria-describedby', CAPTCHA_STATE_ID);
  }
  // Before React's own listeners, which stand further out: the router leaves a form alone that was stopped.
  const stop = (event: SubmitEvent) => {
    if (captchaStore.read().token !== '') return;
    event.preventDefault();
    captchaStore.miss();
  };
  form.addEventListener('submit', stop);
  return () => form.removeEventListener('submit', stop);
}
