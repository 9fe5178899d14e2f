/**
 * The icons of a page as symbols in its HTML: the server includes those that the page shows, so that
 * nothing is requested before the first paint. Icons that are needed later are added to the document (see
 * `loader.ts`).
 */
import { createContext, useContext } from 'react';

const SPRITE_ID = 'icon-sprite';

/** On the server: collects the names of the rendered icons, and returns their symbols at the end. */
interface IconSink {
  need(fullName: string): void;
  symbols(): string;
}

/**
 * Creates the sink of one page. `symbolOf` returns an icon's symbol, or undefined if it is unknown or not
 * loaded yet.
 */
export function createIconSink(symbolOf: (fullName: string) => string | undefined): IconSink {
  const needed = new Set<string>();
  return {
    need: (fullName) => void needed.add(fullName),
    symbols: () => Array.from(needed, (name) => symbolOf(name) ?? '').join(''),
  };
}

/** Undefined in the browser. */
export const IconSinkContext = createContext<IconSink | undefined>(undefined);

/** Place it after all elements that contain icons. */
export function IconSprite() {
  const sink = useContext(IconSinkContext);
  return (
    <svg
      id={SPRITE_ID}
      aria-hidden="true"
      className="hidden"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: symbols from packages of our own
      dangerouslySetInnerHTML={{ __html: sink ? sink.symbols() : spriteOfDocument() }}
    />
  );
}

let sprite: string | undefined;

/** Returns the server's markup unchanged, so that React does not touch it. */
function spriteOfDocument(): string {
  sprite ??= document.getElementById(SPRITE_ID)?.innerHTML ?? '';
  return sprite;
}
