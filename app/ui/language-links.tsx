/** The languages of the app, as links to the same page; the server saves the choice. */
import { Fragment } from 'react';
import { useLocation } from 'react-router';
import { LANGUAGE_NAMES, LANGUAGES, languageSearch } from '../lib/language.ts';
import { usePage } from '../lib/page/page-context.tsx';
import { commonTexts } from '../texts/common.ts';
import { useLanguage, useTexts } from '../texts/use-texts.ts';

/** Plain links, since the whole document changes with its language. */
export function LanguageLinks() {
  const current = useLanguage();
  const { search } = useLocation();
  const { language: label } = useTexts(commonTexts);
  const languages = usePage().config.site?.languages ?? LANGUAGES;
  if (languages.length < 2) return <span />;
  return (
    <nav aria-label={label} className="flex items-center gap-1.5 text-small">
      {languages.map((language, index) => (
        <Fragment key={language}>
          {index > 0 && (
            <span aria-hidden="true" className="text-line-strong">
              /
            </span>
          )}
          <a
            // Relative, so that it is correct below any base path.
            href={languageSearch(search, language)}
            lang={language}
            hrefLang={language}
            aria-current={language === current ? 'true' : undefined}
            className="rounded-sm py-1 text-ink-muted transition-colors hover:text-ink aria-[current]:font-medium
              aria-[current]:text-ink"
          >
            {LANGUAGE_NAMES[language]}
          </a>
        </Fragment>
      ))}
    </nav>
  );
}
