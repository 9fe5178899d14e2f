/** The token as a field of its form. */
import { useEffect, useRef } from 'react';
import { CAPTCHA_FIELD } from './captcha-field.ts';
import { captchaStore, useCaptchaState } from './captcha-store.ts';

/** Without a token the form stays, and the widget says why. */
export default function CaptchaToken() {
  const { token } = useCaptchaState();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const form = field.current?.form;
    // Before React's own listeners, which stand further out: the router leaves a form alone that was stopped.
    const stop = (event: SubmitEvent) => {
      if (captchaStore.read().token !== '') return;
      event.preventDefault();
      captchaStore.miss();
    };
    form?.addEventListener('submit', stop);
    return () => form?.removeEventListener('submit', stop);
  }, []);
  return <input ref={field} type="hidden" name={CAPTCHA_FIELD} value={token} />;
}
