/** Keeps the page while the browser is offline if a link or form would load another document, whose error would replace the page. */

/** Calls `onHold` instead of loading a document of this site. Returns a function that ends it. */
export function holdDocuments(browser: Window, onHold: () => void): () => void {
  const hold = (event: Event, address: URL | undefined, target: string) => {
    // The router has handled the event, or the page is in no danger.
    if (event.defaultPrevented || browser.navigator.onLine || !isReplaced(target)) return;
    if (address?.origin !== browser.location.origin || !/^https?:$/.test(address.protocol)) return;
    if (address.hash !== '' && address.href.split('#')[0] === browser.location.href.split('#')[0]) return;
    event.preventDefault();
    onHold();
  };
  const onClick = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const { metaKey, ctrlKey, shiftKey } = event as MouseEvent;
    // Links of pictures are no HTML elements. The other clicks open a window or save a file.
    if (
      !(link instanceof HTMLAnchorElement) ||
      metaKey ||
      ctrlKey ||
      shiftKey ||
      link.hasAttribute('download')
    )
      return;
    if (URL.canParse(link.href)) hold(event, new URL(link.href), link.target);
  };
  const onSubmit = (event: Event) => {
    const { submitter } = event as SubmitEvent;
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const target = submitter?.getAttribute('formtarget') ?? form.target;
    const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? '';
    hold(event, new URL(action, browser.location.href), target);
  };
  // Handlers of the page run before those of the window.
  browser.addEventListener('click', onClick);
  browser.addEventListener('submit', onSubmit);
  return () => {
    browser.removeEventListener('click', onClick);
    browser.removeEventListener('submit', onSubmit);
  };
}

/** Whether a document replaces this page or a frame of it; others open in a window of their own. */
function isReplaced(target: string): boolean {
  return target !== '_blank';
}
