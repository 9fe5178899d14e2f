/** The whole value of a cell. JSON is formatted. */
import { sqlResultTexts } from '../../../../texts/admin-sql-results.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { CopyButton } from '../../../../ui/copy-button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';

/** Props of {@link ValueDialog}. */
interface ValueDialogProps {
  column: { name: string; type: string };
  value: string | null;
  onClose(): void;
}

/** Opens at once; `onClose` must restore the focus. */
export function ValueDialog({ column, value, onClose }: ValueDialogProps) {
  const texts = useTexts(sqlResultTexts);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      onCloseAutoFocus={(event) => event.preventDefault()}
      title={texts.grid.value(column.name)}
      description={column.type}
    >
      <div className="flex items-start gap-2">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
          tabIndex={0}
          className="max-h-96 min-w-0 flex-1 overflow-auto rounded-control bg-sunken p-3 font-mono text-small
            break-words whitespace-pre-wrap"
        >
          {value === null ? (
            <span className="text-ink-muted italic">{texts.grid.null}</span>
          ) : (
            formatted(value, column.type)
          )}
        </pre>
        <CopyButton text={value ?? ''} label={texts.grid.copy} />
      </div>
    </Dialog>
  );
}

function formatted(value: string, type: string): string {
  if (!/^jsonb?$/.test(type)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
