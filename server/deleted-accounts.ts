/** The accounts that were deleted, until the pages have removed their pictures from storage. */
import type { Database } from '@greenroom/postgres';

const BATCH_SIZE = 500;

/** Operations of the app on the accounts. */
interface DeletedAccounts {
  /** Returns up to 500 of them, those that were read longest ago; times are milliseconds since the epoch. */
  list(): Promise<readonly { id: string; deletedAt: number }[]>;
  forget(id: string): Promise<void>;
}

/** Returns the deleted accounts of one database. */
export function deletedAccounts(admin: Database): DeletedAccounts {
  return {
    async list() {
      const rows = await admin.query<{ id: string; deleted_at: string }>({
        text: `update greenroom.deleted_accounts set read_at = now()
          where id in (
            select id from greenroom.deleted_accounts order by read_at nulls first, deleted_at limit ${BATCH_SIZE}
          )
          returning id, extract(epoch from deleted_at) * 1000 as deleted_at`,
      });
      return rows.map(({ id, deleted_at }) => ({ id, deletedAt: Number(deleted_at) }));
    },
    async forget(id) {
      await admin.query({ text: 'delete from greenroom.deleted_accounts where id = $1', values: [id] });
    },
  };
}
