/** The menu of the signed-in user. It opens and closes without scripts (HTML's popover). */

import { type FormEvent, useId } from 'react';
import { Link, useLocation } from 'react-router';
import { usePage } from '../lib/page/page-context.tsx';
import { useIsHydrated } from '../lib/use-is-hydrated.ts';
import { isAdmin } from '../session/access.ts';
import type { Claims } from '../session/claims.ts';
import { personAddress, personName } from '../session/person-name.ts';
import { SIGN_OUT_SCOPES } from '../session/scopes.ts';
import { usePicture } from '../session/use-picture.ts';
import { navigationTexts } from '../texts/navigation.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Avatar } from '../ui/avatar.tsx';
import { BreakableText } from '../ui/breakable-text.tsx';
import { navigationPaths } from './navigation.ts';
import { openOverlay } from './shortcuts/overlay-loader.ts';
import { useSignOut } from './sign-out/use-sign-out.ts';
import { isShown } from './site-navigation.ts';

const ITEM =
  'flex w-full items-center rounded-control px-2.5 py-2 text-start text-body transition-colors hover:bg-hover ' +
  '-outline-offset-2! sm:py-1.5';

/** Shows the user, links to their pages, and the sign-out buttons. */
export function UserMenu({ user }: { user: Claims }) {
  const menuId = useId();
  const texts = useTexts(navigationTexts);
  const { redirectOptions, site } = usePage().config;
  const paths = navigationPaths(redirectOptions.login);
  const name = personName(user);
  const address = personAddress(user);
  const picture = usePicture(user.user_metadata);
  // The key closes the menu on navigation.
  const { key } = useLocation();
  return (
    <>
      <button
        type="button"
        popoverTarget={menuId}
        className="rounded-full p-0.5 transition-shadow hover:ring-3 hover:ring-hover"
      >
        <span className="sr-only">{user.is_anonymous ? texts.guestAccount : texts.accountOf(name)}</span>
        <Avatar name={user.is_anonymous ? '' : name} src={picture} size="sm" />
      </button>
      <div
        key={key}
        id={menuId}
        popover="auto"
        className="floating fixed inset-auto end-4 top-13 m-0 w-72 max-w-[calc(100vw-2rem)] rounded-card p-1
          open:animate-enter sm:end-8 lg:start-2 lg:end-auto lg:w-58"
      >
        <p className="grid px-2.5 pt-2 pb-2.5">
          {!user.is_anonymous && <span className="text-small text-ink-muted">{texts.signedInAs}</span>}
          <BreakableText text={user.is_anonymous ? texts.guestAccount : name} className="font-medium" />
          {!user.is_anonymous && address !== name && (
            <BreakableText text={address} className="text-small text-ink-muted" />
          )}
        </p>
        <nav aria-label={texts.accountNavigation} className="border-t border-line py-1">
          <Link to={paths.home} className={ITEM}>
            {texts.home}
          </Link>
          {isShown('account', site) && (
            <Link to="/account" className={ITEM}>
              {texts.account}
            </Link>
          )}
          {isAdmin(user) && isShown('users', site) && (
            <Link to={paths.users} className={ITEM}>
              {texts.admin}
            </Link>
          )}
        </nav>
        <KeyboardHelp />
        <SignOutForm />
      </div>
    </>
  );
}

/** Hidden for devices without a keyboard, and without scripts. */
function KeyboardHelp() {
  const texts = useTexts(navigationTexts);
  if (!useIsHydrated()) return null;
  return (
    <div className="border-t border-line py-1 pointer-coarse:hidden">
      <button type="button" className={ITEM} onClick={() => openOverlay('help')}>
        {texts.keyboardHelp}
      </button>
    </div>
  );
}

function SignOutForm() {
  const { Form, onSubmit } = useSignOut();
  const texts = useTexts(navigationTexts);
  return (
    <Form
      method="post"
      action="/sign-out"
      onSubmit={(event) => {
        closeMenu(event);
        onSubmit(event);
      }}
      className="border-t border-line pt-1"
    >
      {SIGN_OUT_SCOPES.map((scope) => (
        <button key={scope} type="submit" name="scope" value={scope} className={ITEM}>
          {texts.signOut[scope]}
        </button>
      ))}
    </Form>
  );
}

function closeMenu(event: FormEvent<HTMLFormElement>): void {
  event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
}
