/**
 * Parses a key event to a stroke: `k`, `?`, `F8`, `Mod+k`, `Shift+Enter`. A symbol is the character that
 * the keyboard produces (`?`, not Shift and a key), since its position depends on the layout.
 */

/** The fields of a key event that matter here. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'isComposing'
>;

/** Modifier keys, and keys that begin a composition. */
const IGNORED_KEYS = /^(Shift|Control|Alt|AltGraph|Meta|OS|CapsLock|NumLock|Fn|Dead|Process|Unidentified)$/;

/**
 * Returns the stroke, or undefined if the event is none: a key that is held down, a modifier, a key that an
 * input method uses (UI Events section 5.6), or a key combination of the operating system.
 */
export function readStroke(press: KeyPress, isApple: boolean): string | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = press;
  const [mod, foreign] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (repeat || isComposing || altKey || foreign || IGNORED_KEYS.test(press.key)) return undefined;
  const key = nameOf(press);
  const isSign = [...key].length === 1 && !/[a-z]/.test(key);
  return `${mod ? 'Mod+' : ''}${shiftKey && !isSign ? 'Shift+' : ''}${key}`;
}

/**
 * Returns Latin letters in lower case, ignoring Caps Lock. On keyboards without them, the position of the
 * key decides.
 */
function nameOf({ key, code }: KeyPress): string {
  const lower = key.toLowerCase();
  if (/^[a-z]$/.test(lower)) return lower;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter && /^\p{L}$/u.test(key) ? letter.toLowerCase() : key;
}

/** Elements that use keys themselves: fields, editors, and all overlays. */
const KEY_CONSUMERS = [
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=range],[type=file])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable=false])',
  // The host of an editor in a shadow root.
  '[data-own-keys]',
  '[role=textbox],[role=combobox],[role=listbox],[role=menu],[role=dialog],[role=alertdialog]',
].join();

/** Returns whether the focused element uses letters itself. */
export function consumesKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEY_CONSUMERS) !== null;
}
