/** The notice after a change. */
import { policiesTexts } from '../../../texts/admin-policies.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';

/** Announces the change that was just made. */
export function DoneNotice({ notice }: { notice: string | null }) {
  const { notices } = useTexts(policiesTexts);
  const done =
    notice !== null && Object.hasOwn(notices, notice) ? (notice as keyof typeof notices) : undefined;
  return done ? <Alert kind="success">{notices[done]}</Alert> : null;
}
