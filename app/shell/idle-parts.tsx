/** The parts of the shell whose code is loaded after the page. */
import ToastList from '../ui/toast-list.tsx';
import type { Toast } from '../ui/toasts.ts';
import { ConnectionNotice } from './connection/connection-notice.ts';
import { CurrentInView } from './current-in-view.ts';

/** @param props.isSignedIn whether the page has navigation, and is kept without a connection */
export default function IdleParts({ toasts, isSignedIn }: { toasts: readonly Toast[]; isSignedIn: boolean }) {
  return (
    <>
      <ToastList toasts={toasts} />
      {isSignedIn && <ConnectionNotice />}
      {isSignedIn && <CurrentInView />}
    </>
  );
}
