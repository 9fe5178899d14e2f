/** The one-time link that makes its visitor the administrator. */
import { Form, useNavigation } from 'react-router';
import { personName } from '../session/person-name.ts';
import { useSession } from '../session/session-provider.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Notice } from './notice.tsx';

/** Asks before the link is used up. */
export function ClaimOffer({ token }: { token: string }) {
  const { user } = useSession();
  const isPending = useNavigation().state !== 'idle';
  const name = user ? personName(user) : '';
  return (
    <Notice
      icon="shield"
      title="Become the administrator"
      text={`This link works once. It gives ${name} the right to manage everything here.`}
    >
      <Form method="post" action="/admin" className="w-full">
        <input type="hidden" name="intent" value="claim" />
        <input type="hidden" name="token" value={token} />
        <Button type="submit" look="primary" size="large" isPending={isPending} className="w-full">
          Become the administrator
        </Button>
      </Form>
    </Notice>
  );
}

/** The link was used, or never existed: both read the same. */
export function ClaimRefused() {
  return (
    <Notice
      icon="alert"
      title="This link does not work"
      text="It was already used, or it is not complete. Whoever runs this site can make a new one."
    >
      <ButtonLink to="/">Go to your room</ButtonLink>
    </Notice>
  );
}
