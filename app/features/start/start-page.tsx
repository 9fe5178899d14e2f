/** The built-in home page: name, addresses and public key of the project, and links to the pages that every project has. */

import { usePage } from '../../lib/page/page-context.tsx';
import { isAdmin } from '../../session/access.ts';
import { useSession } from '../../session/session-provider.tsx';
import { startTexts } from '../../texts/start.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import type { StartLoad } from './start.server.ts';

/** The services, and their paths below the URL of the API. */
const SERVICES = [
  ['auth', '/auth/v1'],
  ['data', '/rest/v1'],
  ['realtime', '/realtime/v1'],
  ['storage', '/storage/v1'],
] as const;

/** Shows the page to all visitors. */
export function StartPage({ load }: { load: StartLoad }) {
  const texts = useTexts(startTexts);
  return (
    <TooltipProvider>
      <Page>
        <PageHeader title={load.projectName} description={texts.description} />
        <PageLinks />
        <Addresses load={load} />
        <FirstCall load={load} />
      </Page>
    </TooltipProvider>
  );
}

function PageLinks() {
  const texts = useTexts(startTexts);
  const { user } = useSession();
  const { login } = usePage().config.redirectOptions;
  return (
    <p className="flex flex-wrap gap-2">
      {user ? (
        <ButtonLink to="/account">{texts.account}</ButtonLink>
      ) : (
        <ButtonLink to={login} variant="primary">
          {texts.signIn}
        </ButtonLink>
      )}
      {(!user || isAdmin(user)) && <ButtonLink to="/admin">{texts.admin}</ButtonLink>}
    </p>
  );
}

function Addresses({ load: { apiUrl, publishableKey, services } }: { load: StartLoad }) {
  const texts = useTexts(startTexts);
  return (
    <Card title={texts.connect} description={texts.connectText}>
      <DescriptionList>
        <DescriptionItem label={texts.url}>
          <Value text={apiUrl} copyLabel={texts.copyUrl} />
        </DescriptionItem>
        <DescriptionItem label={texts.publishableKey}>
          <Value text={publishableKey} copyLabel={texts.copyKey} />
        </DescriptionItem>
        {SERVICES.filter(([name]) => services.includes(name)).map(([name, path]) => (
          <DescriptionItem key={name} label={texts.services[name]}>
            <Value text={apiUrl + path} copyLabel={texts.copyAddress(texts.services[name])} />
          </DescriptionItem>
        ))}
      </DescriptionList>
    </Card>
  );
}

function FirstCall({ load: { apiUrl, publishableKey } }: { load: StartLoad }) {
  const texts = useTexts(startTexts);
  const code = `import { createClient } from '@supabase/supabase-js';

const supabase = createClient('${apiUrl}', '${publishableKey}');`;
  return (
    <Card
      title={texts.firstCall}
      description={texts.firstCallText}
      actions={<CopyButton text={code} label={texts.copyCode} />}
    >
      <pre className="overflow-x-auto p-5 font-mono text-caption">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard cannot scroll it */}
        <code tabIndex={0}>{code}</code>
      </pre>
    </Card>
  );
}

function Value({ text, copyLabel }: { text: string; copyLabel: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 font-mono text-caption">
        <BreakableText text={text} />
      </code>
      <CopyButton text={text} label={copyLabel} />
    </span>
  );
}
