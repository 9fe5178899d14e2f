/** The representation of a shortcut's keys, by platform and language. */

/** One key. `spoken` is the text for screen readers if the symbol is not enough. */
export interface KeyCap {
  sign: string;
  label?: string;
}

/** Names of keys in a language. */
interface KeyLabels {
  ctrl: string;
  command: string;
}

/**
 * Returns the strokes of a shortcut, each as the keys to press together.
 * @example keyCaps('Mod+k', { isApple: false, words: { ctrl: 'Strg', command: 'Befehl' } }) // [[{ sign: 'Strg' }, { sign: 'K' }]]
 */
export function keyCaps(
  keys: string,
  { isApple, words }: { isApple: boolean; words: KeyLabels },
): KeyCap[][] {
  return keys.split(' ').map((stroke) => stroke.split('+').map((key) => keyCap(key, isApple, words)));
}

function keyCap(key: string, isApple: boolean, words: KeyLabels): KeyCap {
  if (key === 'Mod') return isApple ? { sign: '⌘', label: words.command } : { sign: words.ctrl };
  return { sign: key.length === 1 ? key.toUpperCase() : key };
}
