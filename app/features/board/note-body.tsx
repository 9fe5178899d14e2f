/** What a note says. A long text is cut after some lines, so that one note does not push all others away. */
import { useEffect, useId, useRef, useState } from 'react';
import { boardTexts } from '../../texts/board.ts';
import { useTexts } from '../../texts/use-texts.ts';

/** Without scripts nobody could open it: then it is whole. */
const CUT = 'line-clamp-8 noscript:line-clamp-none';

/** See the head of this file. */
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
        className={`text-body whitespace-pre-wrap [overflow-wrap:anywhere] ${isOpen ? '' : CUT}`}
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
          {isOpen ? texts.showLess : texts.showAll}
        </button>
      )}
    </div>
  );
}

/** How many lines a text has depends on the width of its note. An open one stays known as too long. */
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
