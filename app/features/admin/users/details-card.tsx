/** The facts about a user. */
import { adminTexts } from '../../../texts/admin.ts';
import { adminUserTexts } from '../../../texts/admin-user.ts';
import { useTexts } from '../../../texts/use-texts.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionItem, DescriptionList } from '../../../ui/description-list.tsx';
import { LocalTime } from '../../../ui/local-time.tsx';
import type { UserDetail } from './user-detail.server.ts';

/** Shows the id, and the times of the most important events. */
export function DetailsCard({ user }: { user: UserDetail }) {
  const texts = useTexts(adminUserTexts).details;
  const { copyUserId } = useTexts(adminTexts);
  return (
    <Card title={texts.title}>
      <DescriptionList>
        <DescriptionItem label={texts.id}>
          <span className="flex items-center gap-1">
            <code className="min-w-0 font-mono text-small">{user.id}</code>
            <CopyButton text={user.id} label={copyUserId} />
          </span>
        </DescriptionItem>
        <DescriptionItem label={texts.created}>
          <Time at={user.createdAt} />
        </DescriptionItem>
        {user.invitedAt !== null && (
          <DescriptionItem label={texts.invited}>
            <Time at={user.invitedAt} />
          </DescriptionItem>
        )}
        {user.fields.email && (
          <DescriptionItem label={texts.emailConfirmed}>
            <Time at={user.emailConfirmedAt} />
          </DescriptionItem>
        )}
        {user.fields.phone && (
          <DescriptionItem label={texts.phoneConfirmed}>
            <Time at={user.phoneConfirmedAt} />
          </DescriptionItem>
        )}
        <DescriptionItem label={texts.lastSignIn}>
          <Time at={user.lastSignInAt} />
        </DescriptionItem>
        {user.bannedUntil !== null && (
          <DescriptionItem label={texts.bannedUntil}>
            <Time at={user.bannedUntil} />
          </DescriptionItem>
        )}
      </DescriptionList>
    </Card>
  );
}

function Time({ at }: { at: number | null }) {
  const { never } = useTexts(adminUserTexts).details;
  return at === null ? never : <LocalTime seconds={at} />;
}
