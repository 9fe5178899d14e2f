/** The captcha of a form, where the site has one: its code, and the provider's, are loaded only there. */
import { lazy, Suspense } from 'react';
import { Optional } from '../../lib/optional.tsx';
import { usePage } from '../../lib/page/page-context.tsx';
import { uiTexts } from '../../texts/ui.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';

const Widget = lazy(() => import('./captcha-widget.tsx'));

/**
 * Stands before the button that sends the form. Once a page: what else needs a token shares this one's. Parts that are
 * loaded later get it from the page, whose script it is in: a script of its own would be one more for every site.
 */
export function Captcha() {
  const { captcha } = usePage().config;
  if (!captcha) return null;
  return (
    <Optional otherwise={<NotLoaded />}>
      <Suspense>
        <Widget settings={captcha} />
      </Suspense>
    </Optional>
  );
}

function NotLoaded() {
  return <Alert kind="error">{useTexts(uiTexts).notLoaded}</Alert>;
}
