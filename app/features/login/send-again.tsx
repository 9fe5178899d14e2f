/** A button that resends a message. */
import { oneTimeTexts } from '../../texts/one-time.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { useCountdown } from './use-countdown.ts';

/** The backend rejects another message before. */
const WAIT_SECONDS = 60;

/**
 * Counts down while the backend would reject the next message; without scripts the server reports that.
 * `attempt` changes with every message, and restarts the countdown from `seconds`. `message` is the message's main
 * content: a code, or an email with a link.
 */
export function SendAgain(props: { attempt: unknown; seconds?: number; message?: 'code' | 'email' }) {
  const { attempt, seconds: wait = WAIT_SECONDS, message = 'code' } = props;
  const { resend, resendIn } = useTexts(oneTimeTexts);
  const seconds = useCountdown(wait, attempt);
  return (
    <Button type="submit" size="small" disabled={seconds > 0}>
      {seconds > 0 ? resendIn[message](seconds) : resend[message]}
    </Button>
  );
}
