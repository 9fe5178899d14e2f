/** Removes the files of deleted accounts: at once, and again while an access token of the account may be valid. */
import type { ServerHooks } from 'greenroom/app/server';
import { removeFilesOf, removeFilesOfDeletedUsers } from './features/files/deleted-users.ts';

export const hooks: ServerHooks = {
  tasks: [
    {
      name: 'files of deleted accounts',
      everySeconds: 600,
      run: ({ client }) => removeFilesOfDeletedUsers(client),
    },
  ],
  async onAccountDeleted({ client, userId }) {
    const { problem } = await removeFilesOf(client, userId);
    if (problem !== undefined) throw new Error(`files could not be removed: ${problem}`);
  },
};
