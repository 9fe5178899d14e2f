/**
 * The icons of a page as symbols in its HTML: the server puts in those that the page shows, so that nothing is asked
 * for before the first paint. What comes later is added beside them (see `loader.ts`).
 */
import { createContext, useContext } from 'react';

const SPRITE_ID = 'icon-sprite';

/** On the server: takes the names of icons as they are rendered, and gives their symbols in the end. */
interface IconSink {
  need(fullName: string): void;
  symbols(): string;
}

/** Makes the sink of one page. `symbolOf` gives an icon's symbol, or undefined where it is not known (yet). */
export function createIconSink(symbolOf: (fullName: string) => string | undefined): IconSink {
  const needed = new Set<string>();
  return {
    need: (fullName) => void needed.add(fullName),
    symbols: () => Array.from(needed, (name) => symbolOf(name) ?? '').join(''),
  };
}

/** Undefined in the browser. */
export const IconSinkContext = createContext<IconSink | undefined>(undefined);

/** Place it after everything that has icons. */
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

/** What the server wrote: given back unchanged, so that React leaves it alone. */
function spriteOfDocument(): string {
  sprite ??= document.getElementById(SPRITE_ID)?.innerHTML ?? '';
  return sprite;
}
