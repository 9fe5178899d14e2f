/** How the screen speaks and looks: language and colour mode. */
import { ColourModeSwitch } from './colour-mode-switch.tsx';
import { LanguageLinks } from './language-links.tsx';

/** A row; where it stands decides how wide it is. */
export function ScreenSettings({ className = '' }: { className?: string }) {
  return (
    <div className={`flex flex-wrap items-center justify-between gap-x-2 gap-y-2 ${className}`}>
      <LanguageLinks />
      <ColourModeSwitch />
    </div>
  );
}
