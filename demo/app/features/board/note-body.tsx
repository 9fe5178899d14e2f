/**
 * The text of a note. A long text is truncated after some lines, so that it does not push other notes away.
 */
import { useTexts } from 'greenroom/app';
import { useEffect, useId, useRef, useState } from 'react';
import { boardTexts } from '../../texts/board.ts';

/** Without scripts the text cannot be expanded, so it is not truncated. */
const TRUNCATED = 'line-clamp-8 noscript:line-clamp-none';

/** The text, with a button that expands it. */
export function NoteBody({ text }: { text: string }) {
  const texts = useTexts(boardTexts);
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { ref, isTooLong } = useIsTooLong(isOpen);
  return (
    <div className="flex-1" data-tall={isOpen || undefined}>
      <p
        ref={ref}
        id={id}
        className={`text-body whitespace-pre-wrap [overflow-wrap:anywhere] ${isOpen ? '' : TRUNCATED}`}
      >
        {text}
      </p>
      {isTooLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="mt-1 rounded-control py-0.5 text-small font-medium underline underline-offset-2"
        >
          {isOpen ? texts.showLess : texts.showMore}
        </button>
      )}
    </div>
  );
}

/** The number of lines depends on the width of the note. While the note is expanded, it is not measured. */
function useIsTooLong(isOpen: boolean) {
  const ref = useRef<HTMLParagraphElement>(null);
  const [isTooLong, setIsTooLong] = useState(false);
  useEffect(() => {
    const paragraph = ref.current;
    if (!paragraph || isOpen) return;
    const observer = new ResizeObserver(() =>
      setIsTooLong(paragraph.scrollHeight > paragraph.clientHeight + 1),
    );
    observer.observe(paragraph);
    return () => observer.disconnect();
  }, [isOpen]);
  return { ref, isTooLong };
}
