/** Says that the server did not respond, instead of replacing the page by an error. */
import { useEffect } from 'react';
import { keepPages } from '../../lib/payload/keep-page.ts';
import { connectionTexts } from '../../texts/connection.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { resolveIcon } from '../../ui/icons/names.ts';
import { loadPageIcon } from '../../ui/icons/page-icons.ts';
import { useToast } from '../../ui/use-toast.ts';
import { holdDocuments } from './hold-documents.ts';

const TOAST_ID = 'no-connection';
/** Icons of the message, which cannot be loaded when it appears. */
const ICONS = ['alert', 'close'] as const;

/** Place it where toasts are shown. */
export function ConnectionNotice() {
  const texts = useTexts(connectionTexts);
  const { add, remove } = useToast();
  useEffect(() => {
    for (const name of ICONS) loadPageIcon(resolveIcon(name));
  }, []);
  useEffect(() => {
    const report = () => {
      const isOnline = navigator.onLine;
      const title = isOnline ? texts.noResponse : texts.offline;
      // The browser reports when it is online again.
      const duration = isOnline ? {} : { duration: Infinity };
      add({ id: TOAST_ID, kind: 'error', title, description: texts.kept, ...duration });
    };
    const close = () => remove(TOAST_ID);
    const ends = [keepPages(report), holdDocuments(window, report)];
    window.addEventListener('online', close);
    return () => {
      for (const end of ends) end();
      window.removeEventListener('online', close);
    };
  }, [texts, add, remove]);
  return null;
}
