/** The switch between the device's mode, light and dark. */
import { commonTexts } from '../texts/common.ts';
import { useTexts } from '../texts/use-texts.ts';
import { COLOUR_PREFERENCES, type ColourPreference } from './colour-mode.ts';
import type { IconName } from './icon.tsx';
import { SegmentedRadios } from './segmented-control.tsx';
import { chooseColourMode, useColourMode } from './use-colour-mode.ts';

const ICONS: Record<ColourPreference, IconName> = { system: 'monitor', light: 'sun', dark: 'moon' };

/** Empty until hydration: the choice is not known before, and without scripts it cannot be changed. */
export function ColourModeSwitch() {
  const state = useColourMode();
  const texts = useTexts(commonTexts);
  const { light, dark } = { light: texts.alwaysLight, dark: texts.alwaysDark };
  return (
    <div className="h-8 w-[5.625rem]">
      {state && (
        <SegmentedRadios
          label={texts.colourMode}
          options={COLOUR_PREFERENCES.map((value) => ({
            value,
            label: texts.colourModes[value],
            icon: ICONS[value],
          }))}
          value={state.preference}
          onChange={chooseColourMode}
          disabled={state.forced !== undefined}
          title={state.forced && { light, dark }[state.forced]}
        />
      )}
    </div>
  );
}
