/** A button that copies a text; empty without scripts. */

import { useIsHydrated } from '../lib/use-is-hydrated.ts';
import { uiTexts } from '../texts/ui.ts';
import { useTexts } from '../texts/use-texts.ts';
import { IconButton } from './icon-button.tsx';
import { Tooltip } from './tooltip.tsx';
import { useToast } from './use-toast.ts';

/** `label` is the accessible name, for example `Copy user ID`. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { add } = useToast();
  const texts = useTexts(uiTexts);
  // The space is reserved, so that the layout does not shift when the button appears.
  if (!useIsHydrated()) return <span className="size-7 shrink-0" />;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => add({ kind: 'success', title: texts.copied }),
      () => add({ kind: 'error', title: texts.copyFailed }),
    );
  return (
    <Tooltip text={label}>
      <IconButton icon="copy" label={label} size="small" onClick={copy} />
    </Tooltip>
  );
}
