/** One user: the account, what belongs to it, and the changes that an administrator can make. */
import { useLocation } from 'react-router';
import { adminUsersTexts } from '../../../texts/admin-users.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { BreakableText } from '../../../ui/breakable-text.tsx';
import { ButtonLink } from '../../../ui/button.tsx';
import { Page } from '../../../ui/page.tsx';
import { PageHeader } from '../../../ui/page-header.tsx';
import { AccessCard } from './access-card.tsx';
import { ChangesCard } from './changes-card.tsx';
import { DeletionCard } from './deletion-card.tsx';
import { DetailsCard } from './details-card.tsx';
import { AccountCard, Conflict, MetadataCard } from './edit-cards.tsx';
import { LinksCard } from './links-card.tsx';
import { listPath, readListQuery } from './list-query.ts';
import { Notice } from './notice.tsx';
import { FactorsCard, IdentitiesCard, SessionsCard } from './sign-in-cards.tsx';
import type { UserDetail } from './user-detail.server.ts';
import type { UsersOutcome } from './users.server.ts';

/** The way back leads to the list as it was. */
export function UserPage({ user, outcome }: { user: UserDetail; outcome: UsersOutcome | undefined }) {
  const texts = useTexts(adminUsersTexts);
  const list = listPath(readListQuery(new URLSearchParams(useLocation().search)));
  return (
    <Page>
      <PageHeader
        title={user.name}
        description={<States user={user} />}
        actions={<ButtonLink to={list}>{texts.toUsers}</ButtonLink>}
      />
      {outcome ? <Outcome outcome={outcome} /> : <Notice />}
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-2">
        <div className="grid grid-cols-1 gap-6">
          <DetailsCard user={user} />
          {/* After a change, the fields show the new values. */}
          <AccountCard key={`account ${user.updatedAt}`} user={user} outcome={outcome} />
          <MetadataCard key={`metadata ${user.updatedAt}`} user={user} outcome={outcome} />
        </div>
        <div className="grid grid-cols-1 gap-6">
          <AccessCard user={user} />
          <LinksCard user={user} outcome={outcome} />
          <IdentitiesCard user={user} />
          <FactorsCard user={user} />
          <SessionsCard user={user} />
          <ChangesCard changes={user.changes} />
          <DeletionCard user={user} />
        </div>
      </div>
    </Page>
  );
}

function Outcome({ outcome }: { outcome: UsersOutcome }) {
  if (outcome.kind === 'problem') return <Alert kind="error">{outcome.text}</Alert>;
  return outcome.kind === 'conflict' ? <Conflict conflicts={outcome.conflicts} /> : null;
}

function States({ user }: { user: UserDetail }) {
  const { states } = useTexts(adminUsersTexts);
  const { isDeleted, bannedUntil, isAnonymous, fields } = user;
  const isConfirmed = user.emailConfirmedAt !== null || user.phoneConfirmedAt !== null;
  return (
    <span className="mt-1 flex flex-wrap items-center gap-1.5">
      {isDeleted && <Badge>{states.deleted}</Badge>}
      {bannedUntil !== null && <Badge tone="danger">{states.banned}</Badge>}
      {isAnonymous && <Badge>{states.anonymous}</Badge>}
      {!(isAnonymous || isDeleted) && (
        <Badge tone={isConfirmed ? 'neutral' : 'warning'}>
          {states[isConfirmed ? 'confirmed' : 'unconfirmed']}
        </Badge>
      )}
      {fields.role && (
        <Badge tone={user.isAdmin ? 'primary' : 'neutral'}>
          <BreakableText text={fields.role} />
        </Badge>
      )}
    </span>
  );
}
