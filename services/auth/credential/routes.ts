/** Endpoints for signing up and signing in. */
import type { Endpoint } from '../context.ts';
import { METADATA_BYTES } from '../http/body-limits.ts';
import { magicLink } from './magic-link.ts';
import { otp } from './otp.ts';
import { listPasskeys, removePasskey, updatePasskey } from './passkeys/manage.ts';
import { recover } from './recover.ts';
import { resend } from './resend.ts';
import { signUp } from './sign-up.ts';
import { isNewSignIn, token } from './token.ts';

/** Modules that verify WebAuthn, loaded by the first request. */
const registration = () => import('./passkeys/registration.ts');
const authentication = () => import('./passkeys/authentication.ts');

/** Endpoints of this folder. Paths are relative to the service's prefix. */
export const credentialRoutes: readonly Endpoint[] = [
  { method: 'POST', path: '/signup', handle: signUp, bodyBytes: METADATA_BYTES, captcha: true },
  { method: 'POST', path: '/token', handle: token, captcha: isNewSignIn },
  { method: 'POST', path: '/otp', handle: otp, bodyBytes: METADATA_BYTES, captcha: true },
  { method: 'POST', path: '/magiclink', handle: magicLink, bodyBytes: METADATA_BYTES, captcha: true },
  { method: 'POST', path: '/recover', handle: recover, captcha: true },
  { method: 'POST', path: '/resend', handle: resend, captcha: true },
  {
    method: 'POST',
    path: '/passkeys/registration/options',
    handle: async (...call) => (await registration()).passkeyRegistrationOptions(...call),
  },
  {
    method: 'POST',
    path: '/passkeys/registration/verify',
    handle: async (...call) => (await registration()).passkeyRegistrationVerify(...call),
  },
  {
    method: 'POST',
    path: '/passkeys/authentication/options',
    handle: async (...call) => (await authentication()).passkeyAuthenticationOptions(...call),
    captcha: true,
  },
  {
    method: 'POST',
    path: '/passkeys/authentication/verify',
    handle: async (...call) => (await authentication()).passkeyAuthenticationVerify(...call),
  },
  { method: 'GET', path: '/passkeys', handle: listPasskeys },
  { method: 'PATCH', path: '/passkeys/:passkeyId', handle: updatePasskey },
  { method: 'DELETE', path: '/passkeys/:passkeyId', handle: removePasskey },
];
