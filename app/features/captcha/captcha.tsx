/** The captcha of a form. Its code and the provider's are loaded only on sites with a captcha. */
import { lazy, Suspense } from 'react';
import { Optional } from '../../lib/optional.tsx';
import { usePage } from '../../lib/page/page-context.tsx';
import { uiTexts } from '../../texts/ui.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';

const Widget = lazy(() => import('./captcha-widget.tsx'));

/**
 * Place it before the submit button, once per page: all forms share its token. Parts that are loaded later
 * receive it from the page as an element: importing it there would create another chunk for every site.
 */
export function Captcha() {
  const { captcha } = usePage().config;
  if (!captcha) return null;
  return (
    <Optional fallback={<NotLoaded />}>
      <Suspense>
        <Widget settings={captcha} />
      </Suspense>
    </Optional>
  );
}

function NotLoaded() {
  return <Alert kind="error">{useTexts(uiTexts).notLoaded}</Alert>;
}
