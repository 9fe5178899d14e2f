/** A modal dialog: it keeps the focus until it is closed. */
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, type ReactElement, type ReactNode, useRef } from 'react';
import { uiTexts } from '../texts/ui.ts';
import { useTexts } from '../texts/use-texts.ts';
import { IconButton } from './icon-button.tsx';
import { usePortalContainer } from './portal-container.tsx';
import { ScrollLock } from './scroll-lock.tsx';

/** Props of dialogs and sheets. */
export interface DialogProps {
  /** Opens the dialog. Without a trigger, `open` controls it. */
  trigger?: ReactElement;
  open?: boolean;
  onOpenChange?(isOpen: boolean): void;
  /** For dialogs without a trigger: must restore the focus and prevent the event's default. */
  onCloseAutoFocus?(event: Event): void;
  title: string;
  description?: string;
  children?: ReactNode;
  /** Actions, the most likely last. */
  footer?: ReactNode;
}

/** Wraps a button that closes the dialog. */
export const DialogClose = Radix.Close;

/** A dialog in the middle of the screen; on a phone at the bottom edge, within reach of the thumb. */
export function Dialog(props: DialogProps) {
  return (
    <DialogBase
      {...props}
      position="items-end justify-center sm:items-center sm:p-6"
      panel="max-h-[92dvh] w-full max-w-lg rounded-t-dialog group-data-[state=open]:animate-enter
        group-data-[state=closed]:animate-exit sm:rounded-dialog"
    />
  );
}

/**
 * The panel is inside of the backdrop: so a tall panel scrolls, and both share one animation. It accepts
 * clicks from the start: radix-ui enables them only a moment after it has disabled those on the page
 * behind.
 */
export function DialogBase(props: DialogProps & { position: string; panel: string }) {
  const { trigger, title, description, children, footer, position, panel, onCloseAutoFocus, ...state } =
    props;
  const portalContainer = usePortalContainer();
  const backdrop = useRef<HTMLButtonElement>(null);
  // radix-ui gives Escape to the newest layer, which may be a toast. A menu in the dialog prevents the default.
  const closeByEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    // A dialog around this one stays open.
    event.preventDefault();
    backdrop.current?.click();
  };
  return (
    <Radix.Root {...state}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal {...portalContainer}>
        <Radix.Content
          {...(onCloseAutoFocus && { onCloseAutoFocus })}
          {...(!description && { 'aria-describedby': undefined })}
          onKeyDown={closeByEscape}
          className={`group pointer-events-auto fixed inset-0 z-(--layer-dialog) flex bg-backdrop text-ink outline-none
            data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in ${position}`}
        >
          <ScrollLock />
          <Radix.Close
            ref={backdrop}
            aria-hidden="true"
            tabIndex={-1}
            className="absolute inset-0 cursor-default!"
          />
          <div className={`floating relative flex flex-col overflow-hidden shadow-high ${panel}`}>
            <DialogHead title={title} description={description} />
            {children && (
              <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6 text-body">{children}</div>
            )}
            {footer && (
              <div className="flex flex-wrap justify-end gap-2 border-t border-line bg-hover px-6 py-4">
                {footer}
              </div>
            )}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function DialogHead({ title, description }: { title: string; description: string | undefined }) {
  const texts = useTexts(uiTexts);
  return (
    <header className="flex items-start justify-between gap-4 px-6 pt-5 pb-4">
      <div className="min-w-0">
        <Radix.Title className="text-lead font-semibold tracking-tight [overflow-wrap:anywhere]">
          {title}
        </Radix.Title>
        {description && (
          <Radix.Description className="mt-1 text-body text-ink-muted">{description}</Radix.Description>
        )}
      </div>
      <Radix.Close asChild>
        <IconButton icon="close" label={texts.close} className="-me-2 -mt-1" />
      </Radix.Close>
    </header>
  );
}
