/** Copies a text; an empty place where scripts do not run. */

import { useIsAlive } from '../lib/use-is-alive.ts';
import { uiTexts } from '../texts/ui.ts';
import { useTexts } from '../texts/use-texts.ts';
import { IconButton } from './icon-button.tsx';
import { Tooltip } from './tooltip.tsx';
import { useToast } from './use-toast.ts';

/** `label` names the button, for example `Copy user id`. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { add } = useToast();
  const texts = useTexts(uiTexts);
  // Its place is kept, so that nothing moves when it comes.
  if (!useIsAlive()) return <span className="size-7 shrink-0" />;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => add({ kind: 'success', title: texts.copied }),
      () => add({ kind: 'error', title: texts.copyRefused }),
    );
  return (
    <Tooltip text={label}>
      <IconButton icon="copy" label={label} size="small" onClick={copy} />
    </Tooltip>
  );
}
