/** Cycles through the colour modes by key. A toast names the new mode, since the page may look the same. */
import { commonTexts } from '../../texts/common.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { COLOUR_PREFERENCES, type ColourPreference } from '../../ui/colour-mode.ts';
import { chooseColourMode, useColourMode } from '../../ui/use-colour-mode.ts';
import { useToast } from '../../ui/use-toast.ts';

let lastToast = '';

/** Returns the next mode, cyclically. */
export function nextPreference(preference: ColourPreference): ColourPreference {
  const next = (COLOUR_PREFERENCES.indexOf(preference) + 1) % COLOUR_PREFERENCES.length;
  return COLOUR_PREFERENCES[next] ?? preference;
}

/** Returns a function that selects the next mode; if the page forces one, the function only reports that. */
export function useNextColourMode(): () => void {
  const texts = useTexts(commonTexts);
  const state = useColourMode();
  const { add, remove } = useToast();
  return () => {
    if (!state) return;
    const { preference, forced } = state;
    const next = nextPreference(preference);
    const { light, dark } = { light: texts.alwaysLight, dark: texts.alwaysDark };
    const title = forced ? { light, dark }[forced] : `${texts.colourMode}: ${texts.colourModes[next]}`;
    chooseColourMode(next);
    remove(lastToast);
    lastToast = add({ kind: 'info', title });
  };
}
