/**
 * For a page that is temporarily unavailable: a link to retry, and a countdown to the next automatic retry.
 */
import { useLocation } from 'react-router';
import { withBase } from '../../lib/page/base-path.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import { useIsHydrated } from '../../lib/use-is-hydrated.ts';
import { commonTexts } from '../../texts/common.ts';
import { errorTexts } from '../../texts/errors.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useRetry } from './use-retry.ts';

/** Place it below the error's reason. Without scripts it is only the link. */
export function RetryNotice() {
  const { tryAgain } = useTexts(commonTexts);
  const { pathname, search } = useLocation();
  const address = withBase(pathname + search, usePage().config.baseURL);
  return (
    <div className="grid justify-items-center gap-4">
      <a href={address} className={buttonClass({ variant: 'primary' })}>
        {tryAgain}
      </a>
      {useIsHydrated() && <Countdown address={address} />}
    </div>
  );
}

function Countdown({ address }: { address: string }) {
  const texts = useTexts(errorTexts);
  const { secondsLeft, isStopped, stop } = useRetry(address);
  if (isStopped) return <p className="text-small text-ink-muted">{texts.retryStopped}</p>;
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-2 gap-y-1">
      {/* Screen readers do not announce each change of a timer. */}
      <p role="timer" className="text-small text-ink-muted tabular-nums">
        {secondsLeft > 0 ? texts.retryIn(secondsLeft) : texts.retrying}
      </p>
      <Button type="button" variant="ghost" size="small" onClick={stop}>
        {texts.stopRetrying}
      </Button>
    </div>
  );
}
