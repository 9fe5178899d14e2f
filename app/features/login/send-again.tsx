/** Asks for the message once more. */
import { oneTimeTexts } from '../../texts/one-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { useCountdown } from './use-countdown.ts';

/** The backend sends no second message before. */
const WAIT_SECONDS = 60;

/**
 * Counts down while the next message would be refused; without scripts the server says so. `attempt` changes with
 * every message, and the count begins anew, from `seconds`.
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
