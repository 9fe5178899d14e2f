import { failure } from '../../errors.ts';
import type { Operation } from '../request/s3-request.ts';
import { deleteUpload } from './rows.ts';
import { removeParts, requireUpload } from './upload.ts';

/**
 * AbortMultipartUpload. Only the request that has deleted the row removes the parts, because then no other request can
 * complete the upload.
 */
export const ABORT_MULTIPART: Operation = {
  name: 'storage.s3.upload.abort_multipart',
  async run(request) {
    const { context } = request;
    const upload = await requireUpload(request);
    const deleted = await context.database.query(deleteUpload(upload.id));
    if (deleted.length === 0) throw failure('NoSuchUpload');
    await removeParts(context, upload);
    return { status: 204 };
  },
};
