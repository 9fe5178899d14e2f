/** Text with line break opportunities inside email addresses, host names, ids and names of settings. */
import { Fragment } from 'react';

/** The shortest pieces between which a line may break: after `@`, hyphens and underscores, and before dots, inside words. */
const PIECE = /.+?(?:(?<=\S[@_-])(?=\S)|(?<=\S)(?=\.[\p{L}\p{N}])|$)/gsu;

/**
 * Renders `text` without changing it for copying and searching. It breaks at other places only if a piece is
 * longer than a line.
 * @example <BreakableText text="ada@example.org" /> // ada@|example|.org
 */
export function BreakableText({ text, className = '' }: { text: string; className?: string }) {
  return (
    <span className={`[overflow-wrap:anywhere] ${className}`}>
      {Array.from(text.matchAll(PIECE), ({ 0: piece, index }) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </span>
  );
}
