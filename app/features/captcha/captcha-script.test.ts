import { expect, it } from 'vitest';
import { captchaScriptUrl } from './captcha-script.ts';

it.each([
  ['https://js.hcaptcha.com/1/api.js', 'https://js.hcaptcha.com/1/api.js?'],
  ['https://captcha.example/api.js?host=a&render=onload', 'https://captcha.example/api.js?host=a&'],
])('requests explicit rendering from the script of %s', (scriptUrl, start) => {
  const url = captchaScriptUrl({ provider: 'hcaptcha', siteKey: 'key', scriptUrl });
  expect(url).toBe(`${start}render=explicit&onload=onCaptchaReady&recaptchacompat=off`);
});
