/**
 * Reads a key event as a stroke: `k`, `?`, `F8`, `Mod+k`, `Shift+Enter`. Signs are what the keyboard makes of them
 * (`?`, not Shift and a key), since each layout has them elsewhere.
 */

/** A key event, as far as it matters here. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'isComposing'
>;

/** Keys that only change others, or that begin a letter. */
const SILENT = /^(Shift|Control|Alt|AltGraph|Meta|OS|CapsLock|NumLock|Fn|Dead|Process|Unidentified)$/;

/**
 * The stroke, or undefined where the event is none: a key that is held down, one that only changes others, one that
 * an input method takes (UI Events section 5.6), or a chord of the system's.
 */
export function readStroke(press: KeyPress, isApple: boolean): string | undefined {
  const { ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = press;
  const [mod, foreign] = isApple ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (repeat || isComposing || altKey || foreign || SILENT.test(press.key)) return undefined;
  const key = nameOf(press);
  const isSign = [...key].length === 1 && !/[a-z]/.test(key);
  return `${mod ? 'Mod+' : ''}${shiftKey && !isSign ? 'Shift+' : ''}${key}`;
}

/** Latin letters are small, whatever Caps Lock says. Keyboards without them go by where the letter would be. */
function nameOf({ key, code }: KeyPress): string {
  const lower = key.toLowerCase();
  if (/^[a-z]$/.test(lower)) return lower;
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  return place && /^\p{L}$/u.test(key) ? place.toLowerCase() : key;
}

/** What takes keys for itself: fields, editors, and all that lies over the page. */
const TAKERS = [
  'input:not([type=checkbox],[type=radio],[type=button],[type=submit],[type=reset],[type=range],[type=file])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable=false])',
  '[role=textbox],[role=combobox],[role=listbox],[role=menu],[role=dialog],[role=alertdialog]',
].join();

/** Tells whether what has the focus takes letters for itself. */
export function takesKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TAKERS) !== null;
}
