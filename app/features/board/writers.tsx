/** Shows which users are writing. */
import { formatList } from '../../lib/format/list.ts';
import { boardTexts } from '../../texts/board.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';

/** Shows nothing if `names` is empty. */
export function Writers({ names, className = '' }: { names: readonly string[]; className?: string }) {
  const texts = useTexts(boardTexts);
  const language = useLanguage();
  if (names.length === 0) return null;
  return (
    <p className={`flex min-w-0 items-center gap-1.5 text-small text-ink-muted ${className}`}>
      <Icon name="lucide:pencil-line" className="size-3.5" />
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {texts.writing(formatList(names, language), names.length)}
      </span>
    </p>
  );
}
