import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, it } from 'vitest';
import type { Language } from '../../lib/language.ts';
import { type Page, PageProvider } from '../../lib/page/page-context.tsx';
import type { PageProvider as Provider } from '../../lib/page/page-provider.ts';
import ProviderLinks from './provider-links.tsx';

const providers: Provider[] = [
  { name: 'first', title: 'First', icon: 'greenroom:google' },
  { name: 'second_oidc', title: 'Second', icon: 'lucide:globe' },
];

/** Returns target, icon and text of each link. */
function linksIn(language: Language): string[][] {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <PageProvider value={{ language } as Page}>
        <ProviderLinks providers={providers} login="/login" />
      </PageProvider>
    </MemoryRouter>,
  );
  const links = html.matchAll(/<a [^>]*href="([^"]*)".*?<use href="#([^"]*)".*?<\/svg>([^<]*)<\/a>/g);
  return Array.from(links, ([, ...parts]) => parts);
}

it.each<[Language, string[]]>([
  ['en', ['Continue with First', 'Continue with Second']],
  ['de', ['Weiter mit First', 'Weiter mit Second']],
])('renders a link with icon and title for each provider: %s', (language, [first, second]) => {
  expect(linksIn(language)).toEqual([
    ['/login?provider=first', 'i-greenroom-google', first],
    ['/login?provider=second_oidc', 'i-lucide-globe', second],
  ]);
});
