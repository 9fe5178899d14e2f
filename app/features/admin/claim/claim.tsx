/** The one-time link that makes its visitor the administrator. */
import { Form, useNavigation } from 'react-router';
import { personAddress } from '../../../session/person-name.ts';
import { useSession } from '../../../session/session-provider.tsx';
import { adminTexts } from '../../../texts/admin.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { BreakableText } from '../../../ui/breakable-text.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** Asks for confirmation before the link is used. */
export function ClaimOffer({ token }: { token: string }) {
  const { user } = useSession();
  const { claim } = useTexts(adminTexts);
  const isPending = useNavigation().state !== 'idle';
  const text = claim.text(user ? personAddress(user) : '');
  return (
    <Notice icon="shield" title={claim.title} text={<BreakableText text={text} />}>
      <Form method="post" action="/admin" className="w-full">
        <input type="hidden" name="intent" value="claim" />
        <input type="hidden" name="token" value={token} />
        <Button type="submit" variant="primary" size="large" isPending={isPending} className="w-full">
          {claim.submit}
        </Button>
      </Form>
    </Notice>
  );
}

/** The link was used, or never existed: the message is the same. */
export function ClaimRefused() {
  const { claim, toHome } = useTexts(adminTexts);
  return (
    <Notice icon="alert" isProblem title={claim.refused} text={claim.refusedText}>
      <ButtonLink to="/">{toHome}</ButtonLink>
    </Notice>
  );
}
