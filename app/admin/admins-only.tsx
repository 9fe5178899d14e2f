/** For people who may not enter, or not yet. */
import { adminTexts } from '../texts/admin.ts';
import { useTexts } from '../texts/use-texts.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** `reason` is the guard's finding. */
export function AdminsOnly({ reason }: { reason: 'not-admin' | 'second-factor-needed' }) {
  const { refusals, toRoom } = useTexts(adminTexts);
  const { title, text } = reason === 'not-admin' ? refusals.notAdmin : refusals.secondFactor;
  return (
    <Notice icon="shield" title={title} text={text}>
      <ButtonLink to="/">{toRoom}</ButtonLink>
    </Notice>
  );
}
