/**
 * Checks of configured connections, which an administrator starts: each makes a bounded request with the configured credentials,
 * and changes nothing at the other side.
 */
export { checkCaptcha } from './captcha.ts';
export type { CheckResult } from './check-result.ts';
export { checkHook } from './hook.ts';
export { checkProvider } from './provider.ts';
