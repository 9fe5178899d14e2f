/** The notice on every page while an administrator uses the site as a user, with the way back. */
import { Form } from 'react-router';
import type { Claims } from '../../session/claims.ts';
import { personAddress } from '../../session/person-name.ts';
import { impersonationTexts } from '../../texts/impersonation.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** It stays at the bottom of the screen, above the page. */
export function ImpersonationBanner({ user }: { user: Claims }) {
  const texts = useTexts(impersonationTexts);
  return (
    <aside
      aria-label={texts.label}
      className="sticky bottom-0 z-(--layer-header) flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t
        border-warning-line bg-warning-wash px-4 py-2.5 text-body text-warning-ink sm:px-8"
    >
      <p className="flex min-w-0 items-center gap-2 [overflow-wrap:anywhere]">
        <Icon name="alert" className="size-4 shrink-0" />
        {texts.text(personAddress(user))}
      </p>
      {/* A new document: nothing of the user's pages may remain in memory. */}
      <Form method="post" action="/impersonation" reloadDocument>
        <Button type="submit" size="small">
          {texts.end}
        </Button>
      </Form>
    </aside>
  );
}
