/** The command palette: finds and runs everything that is available on the current page. */
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { languageSearch } from '../../lib/language.ts';
import { usePage } from '../../lib/page/page-context.tsx';
import { isAdmin } from '../../session/access.ts';
import { useSession } from '../../session/session-provider.tsx';
import { useLanguage } from '../../texts/use-texts.ts';
import { chooseColourMode, useColourMode } from '../../ui/use-colour-mode.ts';
import { closeOverlay, openOverlay } from '../shortcuts/overlay.ts';
import { useSignOut } from '../sign-out/use-sign-out.ts';
import { type Command, type CommandAction, listCommands } from './commands.ts';
import { isHitGroup } from './hits/hits.ts';
import { PaletteDialog } from './palette-dialog.tsx';
import { saveRecent } from './recent.ts';
import { type RemoteScope, SignOutDialog } from './sign-out-dialog.tsx';

/** Connects the palette's dialog with the commands and their actions. */
export default function Palette({ isOpen }: { isOpen: boolean }) {
  const { user } = useSession();
  const commands = useCommands();
  const { perform, signOutDialog } = usePerform();
  const choose = (command: Command) => {
    const { id, action } = command;
    if (isRemembered(command)) saveRecent(window, id);
    if (action.kind !== 'help') closeOverlay();
    perform(action);
  };
  return (
    <>
      <PaletteDialog
        isOpen={isOpen}
        commands={commands}
        findsHits={user !== null && isAdmin(user)}
        choose={choose}
      />
      {signOutDialog}
    </>
  );
}

/**
 * A sign-out is not saved as recent, because it must not be the first match for Enter next time. Hits are not saved either: they
 * contain personal data and names of the database, which would stay in the browser's storage after the administrator has signed out.
 */
function isRemembered({ action, group }: Command): boolean {
  return action.kind !== 'signOut' && !isHitGroup(group);
}

function useCommands(): Command[] {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const { redirectOptions, site } = usePage().config;
  return listCommands({
    isSignedIn: user !== null,
    isAdmin: user !== null && isAdmin(user),
    language: useLanguage(),
    page: pathname + search,
    login: redirectOptions.login,
    site,
    colour: useColourMode(),
  });
}

/** A sign-out on other devices requires a confirmation. */
function usePerform() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const { submit } = useSignOut();
  const [scopeToConfirm, setScopeToConfirm] = useState<RemoteScope>();
  const perform = (action: CommandAction) => {
    if (action.kind === 'go') void navigate(action.to);
    else if (action.kind === 'colourMode') chooseColourMode(action.preference);
    // The server saves the choice in a cookie, and the whole document changes.
    else if (action.kind === 'language') location.assign(languageSearch(search, action.language));
    else if (action.kind === 'help') openOverlay('help');
    else if (action.scope === 'local') submit('local');
    else setScopeToConfirm(action.scope);
  };
  const signOutDialog = (
    <SignOutDialog scope={scopeToConfirm} close={() => setScopeToConfirm(undefined)} submit={submit} />
  );
  return { perform, signOutDialog };
}
