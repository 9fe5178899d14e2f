/** The toasts on the screen: bottom right, announced, closed by time, button, swipe or Escape. */
import { Toast as Radix } from 'radix-ui';
import { CONSTANTS } from '../constants.ts';
import { Icon } from './icon.tsx';
import type { Toast } from './toasts.ts';
import { useToast } from './use-toast.ts';

/** See the head of this file. */
export default function ToastList({ toasts }: { toasts: readonly Toast[] }) {
  return (
    <Radix.Provider
      label="Notification"
      duration={CONSTANTS.toast.duration}
      swipeDirection="right"
      swipeThreshold={CONSTANTS.toast.swipeThreshold}
    >
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        hotkey={[CONSTANTS.toast.hotkey]}
        className="fixed inset-x-4 bottom-4 z-50 flex flex-col gap-4 outline-none sm:start-auto sm:w-96"
      />
    </Radix.Provider>
  );
}

function ToastItem({ toast }: { toast: Toast }) {
  const { remove } = useToast();
  const isError = toast.kind === 'error';
  return (
    <Radix.Root
      open={toast.isOpen}
      onOpenChange={(isOpen) => !isOpen && remove(toast.id)}
      type={isError ? 'foreground' : 'background'}
      className="toast relative flex items-start gap-3 overflow-hidden rounded-xl border border-line bg-surface p-4 pe-12 shadow-pop"
    >
      <Icon
        name={isError ? 'alert' : 'check'}
        className={`mt-px size-[1.15rem] ${isError ? 'text-danger-ink' : 'text-primary-ink'}`}
      />
      <div className="grid gap-0.5 text-sm">
        <Radix.Title className="font-medium">{toast.title}</Radix.Title>
        {toast.description && (
          <Radix.Description className="text-ink-muted">{toast.description}</Radix.Description>
        )}
      </div>
      <Radix.Close
        aria-label="Close"
        className="absolute end-2.5 top-2.5 rounded-md p-1.5 text-ink-muted hover:bg-sunken hover:text-ink"
      >
        <Icon name="close" className="size-4" />
      </Radix.Close>
      <span
        aria-hidden="true"
        className="toast-progress absolute inset-x-0 bottom-0 h-0.5 origin-left bg-primary"
      />
    </Radix.Root>
  );
}
