/** The user's home page: the board that all users share, the user's files, profile and session. */

import {
  Alert,
  Avatar,
  Badge,
  ButtonLink,
  Card,
  type Claims,
  chosenName,
  DescriptionItem,
  DescriptionList,
  displayPhone,
  LocalTime,
  Page,
  PageHeader,
  personName,
  type SessionSummary,
  usePicture,
  useSession,
  useSiteUrls,
  useTexts,
} from 'greenroom/app';
import { BreakableText } from 'greenroom/app/ui/breakable-text';
import { CopyButton } from 'greenroom/app/ui/copy-button';
import { Notice } from 'greenroom/app/ui/notice';
import { TooltipProvider } from 'greenroom/app/ui/tooltip';
import { homeTexts } from '../../texts/home.ts';
import type { BoardOutcome } from '../board/board.server.ts';
import { Board } from '../board/board.tsx';
import { Files } from '../files/files.tsx';
import type { FilesOutcome } from '../files/files-outcome.ts';
import type { HomeLoad } from './home.server.ts';
import { assuranceLabel, methodLabel } from './session-words.ts';

interface HomeProps {
  load: HomeLoad;
  /** The result of a form without scripts. */
  outcome: BoardOutcome | FilesOutcome | undefined;
}

/** Shows the page of a user, or a link to sign in. */
export function Home(props: HomeProps) {
  const { session, user } = useSession();
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
  const { login } = useSiteUrls();
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
