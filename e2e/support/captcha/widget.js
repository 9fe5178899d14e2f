/** A captcha's script with the functions of the real ones: it shows a frame of its own site, and passes on what that says. */
(() => {
  const { origin, pathname, searchParams } = new URL(document.currentScript.src);
  const name = pathname.split('/')[1];
  const widgets = new Map();

  addEventListener('message', (message) => {
    if (message.origin !== origin) return;
    const { id, event, token } = message.data;
    widgets.get(id)?.options[event]?.(token);
  });

  window[name] = {
    render(place, options) {
      const id = crypto.randomUUID();
      const frame = document.createElement('iframe');
      const { sitekey, theme } = options;
      const language = name === 'hcaptcha' ? options.hl : options.language;
      frame.title = 'Captcha';
      frame.width = options.size === 'compact' ? 160 : 300;
      frame.height = 74;
      frame.src = `${origin}/frame?${new URLSearchParams({ id, sitekey, theme, language })}`;
      place.append(frame);
      widgets.set(id, { frame, options });
      return id;
    },
    reset(id) {
      const { frame } = widgets.get(id);
      const { src } = frame;
      frame.src = src;
    },
    remove(id) {
      widgets.get(id).frame.remove();
      widgets.delete(id);
    },
  };

  // The real ones get ready for a while, too.
  setTimeout(() => window[searchParams.get('onload')]());
})();
