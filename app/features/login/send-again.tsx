/** A button that requests the message again. */
import { oneTimeTexts } from '../../texts/one-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { useCountdown } from './use-countdown.ts';

/** The backend rejects another message before. */
const WAIT_SECONDS = 60;

/**
 * Counts down while the backend would reject the next message; without scripts the server reports that.
 * `attempt` changes with every message, and restarts the countdown from `seconds`.
 */
export function SendAgain({ attempt, seconds: wait = WAIT_SECONDS }: { attempt: unknown; seconds?: number }) {
  const texts = useTexts(oneTimeTexts);
  const seconds = useCountdown(wait, attempt);
  return (
    <Button type="submit" size="small" disabled={seconds > 0}>
      {seconds > 0 ? texts.againIn(seconds) : texts.again}
    </Button>
  );
}
