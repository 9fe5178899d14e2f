/** The page for users without access to the admin area, or without a second factor. */

import { usePage } from '../../../lib/page/page-context.tsx';
import { oneTimePath } from '../../../session/one-time-view.ts';
import { adminTexts } from '../../../texts/admin.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** `reason` is the guard's decision. */
export function AdminsOnly({ reason }: { reason: 'not-admin' | 'second-factor-needed' }) {
  const { refusals, toHome, verify } = useTexts(adminTexts);
  const { login } = usePage().config.redirectOptions;
  const { title, text } = reason === 'not-admin' ? refusals.notAdmin : refusals.secondFactor;
  return (
    <Notice icon="shield" title={title} text={text}>
      {reason === 'second-factor-needed' && (
        <ButtonLink to={oneTimePath(login, 'factor')} variant="primary">
          {verify}
        </ButtonLink>
      )}
      <ButtonLink to="/">{toHome}</ButtonLink>
    </Notice>
  );
}
