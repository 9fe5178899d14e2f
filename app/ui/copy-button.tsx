/** Copies a text; nothing where scripts do not run. */
import { Icon } from './icon.tsx';
import { useIsAlive } from './use-is-alive.ts';
import { useToast } from './use-toast.ts';

/** `label` names the button, for example `Copy user id`. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { add } = useToast();
  if (!useIsAlive()) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => add({ kind: 'success', title: 'Copied' }),
      () => add({ kind: 'error', title: 'Your browser did not allow copying' }),
    );
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={copy}
      className="rounded-md p-1 text-ink-muted transition-colors duration-150 hover:bg-sunken hover:text-ink"
    >
      <Icon name="copy" className="size-4" />
    </button>
  );
}
