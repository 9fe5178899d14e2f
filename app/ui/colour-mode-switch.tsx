/** The three-way switch of the colour mode. */
import { COLOUR_PREFERENCES, type ColourPreference } from './colour-mode.ts';
import { Icon, type IconName } from './icon.tsx';
import { chooseColourMode, useColourMode } from './use-colour-mode.ts';

const CHOICES: Record<ColourPreference, { label: string; icon: IconName }> = {
  system: { label: 'System', icon: 'monitor' },
  light: { label: 'Light', icon: 'sun' },
  dark: { label: 'Dark', icon: 'moon' },
};

/** Empty until the page has come alive: before, the choice is unknown, and without scripts there is none. */
export function ColourModeSwitch() {
  const state = useColourMode();
  return (
    <div className="h-8 w-24">
      {state && (
        <fieldset
          disabled={state.forced !== undefined}
          title={state.forced && `This page is always ${state.forced}`}
          className="flex h-8 w-24 rounded-lg border border-line bg-sunken p-0.5 disabled:opacity-50"
        >
          <legend className="sr-only">Colour mode</legend>
          {COLOUR_PREFERENCES.map((preference) => (
            <Choice key={preference} preference={preference} isChosen={state.preference === preference} />
          ))}
        </fieldset>
      )}
    </div>
  );
}

function Choice({ preference, isChosen }: { preference: ColourPreference; isChosen: boolean }) {
  const { label, icon } = CHOICES[preference];
  return (
    <label
      title={label}
      className="relative flex flex-1 items-center justify-center rounded-md text-ink-muted transition-colors
        duration-150 hover:text-ink has-checked:bg-raised has-checked:text-ink has-checked:shadow-xs
        has-focus-visible:outline-2 has-focus-visible:outline-primary"
    >
      <input
        type="radio"
        name="colour-mode"
        value={preference}
        checked={isChosen}
        onChange={() => chooseColourMode(preference)}
        className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-default"
      />
      <Icon name={icon} className="size-4" />
      <span className="sr-only">{label}</span>
    </label>
  );
}
