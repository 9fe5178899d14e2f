/** The user's home page: the board that all users share, the user's files, profile and session. */

import { usePage } from '../../lib/page/page-context.tsx';
import type { Claims, SessionSummary } from '../../session/claims.ts';
import { chosenName, displayPhone, personName } from '../../session/person-name.ts';
import { useSession } from '../../session/session-provider.tsx';
import { usePicture } from '../../session/use-picture.ts';
import { homeTexts } from '../../texts/home.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Alert } from '../../ui/alert.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { BreakableText } from '../../ui/breakable-text.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DescriptionItem, DescriptionList } from '../../ui/description-list.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import type { BoardOutcome } from '../board/board.server.ts';
import { Board } from '../board/board.tsx';
import { Files } from '../files/files.tsx';
import type { FilesOutcome } from '../files/files-outcome.ts';
import type { HomeLoad } from './home.server.ts';
import { assuranceLabel, methodLabel } from './session-words.ts';
import { StartPage } from './start-page.tsx';

interface HomeProps {
  load: HomeLoad;
  /** The result of a form without scripts. */
  outcome: BoardOutcome | FilesOutcome | undefined;
}

/** Shows the start page of a project without pages, the page of a user, or a link to sign in. */
export function Home(props: HomeProps) {
  const { session, user } = useSession();
  if (props.load.start) return <StartPage load={props.load.start} />;
  return (
    <TooltipProvider>
      {user && session ? <SignedInHome {...props} user={user} session={session} /> : <SignedOut />}
    </TooltipProvider>
  );
}

function SignedInHome({
  user,
  session,
  load,
  outcome,
}: HomeProps & { user: Claims; session: SessionSummary }) {
  const texts = useTexts(homeTexts);
  const name = personName(user);
  const picture = usePicture(user.user_metadata);
  return (
    <Page>
      <PageHeader
        sign={<Avatar name={user.is_anonymous ? '' : name} src={picture} size="3xl" />}
        title={texts.title}
        description={user.is_anonymous ? texts.guest : <BreakableText text={texts.signedInAs(name)} />}
      />
      {user.is_anonymous && (
        <Alert kind="warning" title={texts.guestTitle}>
          <p>{texts.guestText}</p>
          <p className="mt-2">
            <ButtonLink to="/account" size="small">
              {texts.addCredentials}
            </ButtonLink>
          </p>
        </Alert>
      )}
      {load.board && (
        <Board user={user} load={load.board} outcome={outcome?.kind === 'files' ? undefined : outcome} />
      )}
      {load.files && (
        <Files user={user} load={load.files} outcome={outcome?.kind === 'files' ? outcome : undefined} />
      )}
      <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
        <Profile user={user} />
        <Session user={user} session={session} />
      </div>
    </Page>
  );
}

function Profile({ user }: { user: Claims }) {
  const texts = useTexts(homeTexts);
  return (
    <Card title={texts.profile} description={texts.profileText}>
      <DescriptionList>
        <DescriptionItem label={texts.name}>{chosenName(user.user_metadata) || <NotSet />}</DescriptionItem>
        <DescriptionItem label={texts.email}>
          {user.email ? <BreakableText text={user.email} /> : <NotSet />}
        </DescriptionItem>
        <DescriptionItem label={texts.phone}>
          {user.phone ? displayPhone(user.phone) : <NotSet />}
        </DescriptionItem>
        <DescriptionItem label={texts.userId}>
          <span className="flex items-center gap-1">
            <code className="font-mono text-caption">
              <BreakableText text={user.sub} />
            </code>
            <CopyButton text={user.sub} label={texts.copyUserId} />
          </span>
        </DescriptionItem>
      </DescriptionList>
    </Card>
  );
}

function Session({ user, session }: { user: Claims; session: SessionSummary }) {
  const texts = useTexts(homeTexts);
  return (
    <Card title={texts.session} description={texts.sessionText}>
      <DescriptionList>
        <DescriptionItem label={texts.expires}>
          <LocalTime seconds={session.expires_at} />
          <span className="text-ink-muted">, {texts.renewsAutomatically}</span>
        </DescriptionItem>
        <DescriptionItem label={texts.verification}>
          <span className="flex flex-wrap items-center gap-x-2">
            {assuranceLabel(user.aal, texts)}
            <Badge tone={user.aal === 'aal2' ? 'primary' : 'neutral'}>{user.aal}</Badge>
          </span>
        </DescriptionItem>
        <DescriptionItem label={texts.signedInWith}>
          <ul className="grid gap-1">
            {user.amr.map(({ method, timestamp }) => (
              <li key={`${method} ${timestamp}`}>
                {methodLabel(method, texts)}
                <span className="text-ink-muted">
                  , <LocalTime seconds={timestamp} />
                </span>
              </li>
            ))}
          </ul>
        </DescriptionItem>
      </DescriptionList>
    </Card>
  );
}

function SignedOut() {
  const texts = useTexts(homeTexts);
  const { login } = usePage().config.redirectOptions;
  return (
    <Notice icon="users" title={texts.signedOutTitle} text={texts.signedOutText}>
      <ButtonLink to={login} variant="primary">
        {texts.signIn}
      </ButtonLink>
    </Notice>
  );
}

function NotSet() {
  const { notSet } = useTexts(homeTexts);
  return <span className="text-ink-muted">{notSet}</span>;
}
