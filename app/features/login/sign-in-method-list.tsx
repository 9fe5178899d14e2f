/** Optional sign-in methods: a passkey, or no account at all. Loaded only if the site offers one of them. */
import { Form, useNavigate, useNavigation } from 'react-router';
import { usePage } from '../../lib/page/page-context.tsx';
import type { LoginMode } from '../../session/login-view.ts';
import { loginMethodsTexts } from '../../texts/login-methods.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { captchaStore } from '../captcha/captcha-store.ts';
import { CAPTCHA_STATE_ID, CaptchaToken } from '../captcha/captcha-token.tsx';
import { useCeremony } from '../passkeys/use-ceremony.ts';
import { useWebauthn } from '../passkeys/use-webauthn.ts';
import type { SignInMethods } from './sign-in-methods.server.ts';

/** Passkeys are offered for sign-in only, because a new user has none. */
export default function SignInMethodList({
  methods,
  login,
  mode,
}: {
  methods: SignInMethods;
  login: string;
  mode: LoginMode;
}) {
  const canUse = useWebauthn();
  const hasPasskey = canUse !== false && methods.passkey && mode === 'sign-in';
  if (!hasPasskey && !methods.anonymous) return null;
  return (
    <div className={`grid gap-3 ${methods.anonymous ? '' : 'noscript:hidden'}`}>
      {hasPasskey && <PasskeyButton login={login} isReady={canUse === true} />}
      {methods.anonymous && <AnonymousForm login={login} />}
    </div>
  );
}

/** Disabled until it is ready, because a click would be lost. */
function PasskeyButton({ login, isReady }: { login: string; isReady: boolean }) {
  const texts = useTexts(loginMethodsTexts);
  const navigate = useNavigate();
  const { begin, isPending, problem } = useCeremony(
    ({ signInWithPasskey }, config) =>
      signInWithPasskey(config, captchaStore.read().token).finally(captchaStore.consume),
    // The server redirects to the saved path.
    () => navigate(login, { replace: true }),
  );
  const needsToken = usePage().config.captcha !== null;
  const start = () => (needsToken && captchaStore.read().token === '' ? captchaStore.miss() : begin());
  return (
    <div className="grid gap-3 noscript:hidden">
      {problem && <Alert kind="error">{problem}</Alert>}
      <Button
        type="button"
        size="large"
        disabled={!isReady}
        isPending={isPending}
        onClick={start}
        aria-describedby={needsToken ? CAPTCHA_STATE_ID : undefined}
        className="w-full"
      >
        <Icon name="passkey" className="size-[1.1rem]" />
        {texts.passkey}
      </Button>
    </div>
  );
}

/** Works without scripts if no captcha is required. */
function AnonymousForm({ login }: { login: string }) {
  const texts = useTexts(loginMethodsTexts);
  const { state, formData } = useNavigation();
  const isPending = state === 'submitting' && formData?.get('intent') === 'anonymous';
  return (
    <Form method="post" action={login} className="grid gap-1.5">
      <input type="hidden" name="intent" value="anonymous" />
      {usePage().config.captcha && <CaptchaToken />}
      <Button type="submit" size="large" isPending={isPending} className="w-full">
        {texts.guest}
      </Button>
      <p className="text-small text-ink-muted">{texts.guestHint}</p>
    </Form>
  );
}
