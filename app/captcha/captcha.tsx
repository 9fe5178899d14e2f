/** The captcha in a form, as far as a site has one: its code, and the provider's, are loaded only there. */
import { lazy, type ReactNode, Suspense } from 'react';
import { Optional } from '../errors/optional.tsx';
import { usePage } from '../request/page-context.tsx';
import { uiTexts } from '../texts/ui.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Alert } from '../ui/alert.tsx';

const Widget = lazy(() => import('./captcha-widget.tsx'));
const Token = lazy(() => import('./captcha-token.tsx'));

const STATE_ID = 'captcha-state';

/** The widget. Once a page: other forms of it share its token by {@link CaptchaToken}. */
export function Captcha() {
  const { captcha } = usePage().config;
  if (!captcha) return null;
  return (
    <Part otherwise={<NotLoaded />}>
      <Widget settings={captcha} stateId={STATE_ID} />
    </Part>
  );
}

/** The token as a hidden field. A form that has it is not sent without. */
export function CaptchaToken() {
  return (
    usePage().config.captcha && (
      <Part>
        <Token />
      </Part>
    )
  );
}

/** Id of what says whether a token is missing: for the `aria-describedby` of a button that needs one. */
export function useCaptchaStateId(): string | undefined {
  return usePage().config.captcha ? STATE_ID : undefined;
}

function Part({ otherwise, children }: { otherwise?: ReactNode; children: ReactNode }) {
  return (
    <Optional otherwise={otherwise}>
      <Suspense>{children}</Suspense>
    </Optional>
  );
}

function NotLoaded() {
  return <Alert kind="error">{useTexts(uiTexts).notLoaded}</Alert>;
}
