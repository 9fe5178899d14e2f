/** The menu of the person who is signed in. It opens and closes without scripts (HTML's popover). */
import { type FormEvent, useEffect, useId } from 'react';
import { Link, useFetcher, useLocation } from 'react-router';
import { isAdmin } from '../admin/access.ts';
import { SIGN_OUT_SCOPES } from '../home/scopes.ts';
import type { signOut } from '../home/sign-out.server.ts';
import type { Claims } from '../session/claims.ts';
import { personName } from '../session/person-name.ts';
import { Avatar } from './avatar.tsx';
import { Icon } from './icon.tsx';
import { useToast } from './use-toast.ts';

const ITEM =
  'flex w-full items-center rounded-md px-2.5 py-2 text-start text-sm transition-colors duration-150 hover:bg-sunken';

/** See the head of this file. */
export function UserMenu({ user }: { user: Claims }) {
  const menuId = useId();
  const name = personName(user);
  // A new page begins with a closed menu.
  const { key } = useLocation();
  return (
    <>
      <button
        type="button"
        popoverTarget={menuId}
        aria-label={`Account of ${name}`}
        className="flex items-center gap-1 rounded-full p-0.5 pe-1.5 text-ink-muted hover:bg-sunken hover:text-ink"
      >
        <Avatar name={name} size="sm" />
        <Icon name="chevron" className="size-4" />
      </button>
      <div
        key={key}
        id={menuId}
        popover="auto"
        className="fixed inset-auto end-[max(1rem,calc((100vw-72rem)/2+1.5rem))] top-15 m-0 w-72 rounded-xl border
          border-line bg-surface p-1.5 text-ink shadow-pop"
      >
        <p className="grid px-2.5 pt-2 pb-2.5 text-sm">
          <span className="text-ink-muted">Signed in as</span>
          <span className="font-medium break-all">{name}</span>
        </p>
        <nav aria-label="Account" className="border-t border-line py-1.5">
          <Link to="/" className={ITEM}>
            Your room
          </Link>
          {isAdmin(user) && (
            <Link to="/admin" className={ITEM}>
              Admin
            </Link>
          )}
        </nav>
        <SignOutForm />
      </div>
    </>
  );
}

function SignOutForm() {
  const fetcher = useFetcher<typeof signOut>();
  const { add } = useToast();
  const outcome = fetcher.data;
  useEffect(() => {
    if (outcome) add({ kind: outcome.kind, title: outcome.message });
  }, [outcome, add]);
  return (
    <fetcher.Form method="post" action="/?index" onSubmit={closeMenu} className="border-t border-line pt-1.5">
      {SIGN_OUT_SCOPES.map(({ scope, label }) => (
        <button key={scope} type="submit" name="scope" value={scope} className={ITEM}>
          {label}
        </button>
      ))}
    </fetcher.Form>
  );
}

function closeMenu(event: FormEvent<HTMLFormElement>): void {
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}
