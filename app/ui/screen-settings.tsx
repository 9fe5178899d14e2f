/** Screen settings: language and colour mode. */
import { ColourModeSwitch } from './colour-mode-switch.tsx';
import { LanguageLinks } from './language-links.tsx';

/** A row; its container determines its width. */
export function ScreenSettings({ className = '' }: { className?: string }) {
  return (
    <div className={`flex flex-wrap items-center justify-between gap-x-2 gap-y-2 ${className}`}>
      <LanguageLinks />
      <ColourModeSwitch />
    </div>
  );
}
