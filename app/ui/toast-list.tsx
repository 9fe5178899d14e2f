/** The toasts on the screen: bottom right, announced, closed by timeout, button, swipe or Escape. */
import { Toast as Radix } from 'radix-ui';
import * as CONSTANTS from '../constants.ts';
import { uiTexts } from '../texts/ui.ts';
import { useTexts } from '../texts/use-texts.ts';
import { buttonClass } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import type { Toast } from './toasts.ts';
import { useToast } from './use-toast.ts';

const STYLES: Record<Toast['kind'], { icon: IconName; ink: string }> = {
  success: { icon: 'check', ink: 'text-primary-ink' },
  error: { icon: 'alert', ink: 'text-danger-ink' },
  info: { icon: 'info', ink: 'text-info-ink' },
};

/** Renders the toasts. */
export default function ToastList({ toasts }: { toasts: readonly Toast[] }) {
  const texts = useTexts(uiTexts);
  return (
    <Radix.Provider
      label={texts.notification}
      duration={CONSTANTS.toast.duration}
      swipeDirection="right"
      swipeThreshold={CONSTANTS.toast.swipeThreshold}
    >
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        hotkey={[CONSTANTS.toast.hotkey]}
        className="fixed inset-x-4 bottom-4 z-(--layer-toast) flex flex-col gap-4 outline-none sm:start-auto sm:w-96"
      />
    </Radix.Provider>
  );
}

function ToastItem({ toast }: { toast: Toast }) {
  const { remove } = useToast();
  const texts = useTexts(uiTexts);
  const { kind, title, description, action, duration = CONSTANTS.toast.duration } = toast;
  const { icon, ink } = STYLES[kind];
  return (
    <Radix.Root
      open={toast.isOpen}
      onOpenChange={(isOpen) => !isOpen && remove(toast.id)}
      type={kind === 'error' ? 'foreground' : 'background'}
      duration={duration}
      className="toast floating relative flex items-start gap-3 overflow-hidden rounded-card p-4 pe-12"
    >
      <Icon name={icon} className={`mt-0.5 size-[1.125rem] ${ink}`} />
      <div className="min-w-0 flex-1 text-body [overflow-wrap:anywhere]">
        <Radix.Title className="font-medium">{title}</Radix.Title>
        {description && <Radix.Description className="text-ink-muted">{description}</Radix.Description>}
        {action && (
          <Radix.Action
            altText={action.label}
            onClick={action.onSelect}
            className={buttonClass({ size: 'small' }, 'mt-2.5')}
          >
            {action.label}
          </Radix.Action>
        )}
      </div>
      <Radix.Close
        aria-label={texts.close}
        className="absolute end-2.5 top-2.5 rounded-md p-1.5 text-ink-muted transition-colors hover:bg-hover hover:text-ink"
      >
        <Icon name="close" className="size-4" />
      </Radix.Close>
      {Number.isFinite(duration) && (
        <span
          aria-hidden="true"
          className="toast-progress absolute inset-x-0 bottom-0 h-0.5 origin-left bg-primary"
          // The script sets this style, which the content security policy allows: toasts are never in the
          // server's HTML.
          style={{ animationDuration: `${duration}ms` }}
        />
      )}
    </Radix.Root>
  );
}
