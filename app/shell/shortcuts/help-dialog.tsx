/** The keyboard help: every shortcut that the user has, by scope. */
import { useState } from 'react';
import { usePage } from '../../lib/page/page-context.tsx';
import { isAdmin } from '../../session/access.ts';
import { useSession } from '../../session/session-provider.tsx';
import { pageNameTexts } from '../../texts/page-names.ts';
import { shortcutTexts } from '../../texts/shortcuts.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/switch.tsx';
import { isPageId } from '../navigation.ts';
import { SHORTCUT_SCOPES, type ShortcutScope } from '../scope.ts';
import { closeOverlay, returnFocus } from './overlay.ts';
import { ShortcutKeys } from './shortcut-keys.tsx';
import { isOfSite, type Shortcut, shortcutsFor } from './shortcuts.ts';
import { areSingleKeysOn, setSingleKeys } from './single-keys.ts';

/** Lists the shortcuts, with a switch for single keys. */
export default function HelpDialog({ isOpen }: { isOpen: boolean }) {
  const texts = useTexts(shortcutTexts);
  const { user } = useSession();
  const { site } = usePage().config;
  const viewer = { isSignedIn: user !== null, isAdmin: user !== null && isAdmin(user) };
  const shortcuts = shortcutsFor(viewer, { site, language: useLanguage() });
  return (
    <Dialog
      open={isOpen}
      onOpenChange={closeOverlay}
      onCloseAutoFocus={returnFocus}
      title={texts.title}
      description={texts.description}
      footer={<SingleKeysSwitch />}
    >
      <div className="grid gap-6">
        {SHORTCUT_SCOPES.map((scope) => (
          <Scope
            key={scope}
            scope={scope}
            shortcuts={shortcuts.filter((shortcut) => shortcut.scope === scope)}
          />
        ))}
      </div>
    </Dialog>
  );
}

function Scope({ scope, shortcuts }: { scope: ShortcutScope; shortcuts: readonly Shortcut[] }) {
  const texts = useTexts(shortcutTexts);
  const pageNames = useTexts(pageNameTexts);
  if (shortcuts.length === 0) return null;
  const nameOf = ({ id, label = '' }: Pick<Shortcut, 'id'> & { label: string | undefined }) => {
    if (isOfSite(id)) return label;
    return isPageId(id) ? pageNames[id].goTo : texts.names[id];
  };
  return (
    <section aria-labelledby={`shortcuts-${scope}`}>
      <h3 id={`shortcuts-${scope}`} className="text-caption font-medium text-ink-muted">
        {texts.scopes[scope]}
      </h3>
      <dl className="mt-1 divide-y divide-line">
        {shortcuts.map(({ id, keys, label }) => (
          <div key={id} className="flex items-center justify-between gap-4 py-2">
            <dt>{nameOf({ id, label })}</dt>
            <dd>
              <ShortcutKeys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function SingleKeysSwitch() {
  const texts = useTexts(shortcutTexts);
  const [isOn, setIsOn] = useState(() => areSingleKeysOn(window));
  const choose = (isEnabled: boolean) => {
    setSingleKeys(window, isEnabled);
    setIsOn(isEnabled);
  };
  return (
    <Switch
      label={texts.singleKeys}
      hint={texts.singleKeysHint}
      checked={isOn}
      onChange={({ currentTarget }) => choose(currentTarget.checked)}
      className="w-full"
    />
  );
}
