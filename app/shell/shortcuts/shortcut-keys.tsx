/** The keys of a shortcut, labelled as on the user's keyboard. */
import { Fragment } from 'react';
import { keyTexts } from '../../texts/keys.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Kbd } from '../../ui/kbd.tsx';
import { type KeyCap, keyCaps } from './key-caps.ts';
import { useIsApple } from './platform.ts';

/**
 * `keys` has the format of the table of shortcuts. Until hydration the platform is unknown and assumed not
 * to be Apple's.
 */
export function ShortcutKeys({ keys }: { keys: string }) {
  const texts = useTexts(keyTexts);
  const strokes = keyCaps(keys, { isApple: useIsApple() === true, words: texts });
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      {strokes.map((caps, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a shortcut's strokes never change their order
        <Fragment key={index}>
          {index > 0 && <span className="text-caption text-ink-muted">{texts.followedBy}</span>}
          {caps.map((cap) => (
            <Cap key={cap.sign} {...cap} />
          ))}
        </Fragment>
      ))}
    </span>
  );
}

function Cap({ sign, label }: KeyCap) {
  return (
    <Kbd>
      {label ? <span aria-hidden="true">{sign}</span> : sign}
      {label && <span className="sr-only">{label}</span>}
    </Kbd>
  );
}
