/** Validates requests that change rows. */
import { z } from 'zod';
import { type ChangeRequest, MAX_DELETED_ROWS } from './changes.ts';

const MAX_IMPORTED_ROWS = 2000;

const name = z
  .string()
  .min(1)
  .max(63)
  .regex(/^[^\0]*$/);
const text = z.string().regex(/^[^\0]*$/);
const auditId = z.string().regex(/^\d{1,18}$/);
const row = z.strictObject({ key: z.array(text).min(1).max(32), xmin: z.string().regex(/^\d{1,10}$/) });
const values = z.record(name, z.union([text, z.null(), z.strictObject({ default: z.literal(true) })]));
const sort = z.strictObject({ column: name, isDescending: z.boolean() }).optional();
const of = { schema: name, table: name };

const changeRequest = z.discriminatedUnion('intent', [
  z.strictObject({
    ...of,
    intent: z.literal('update'),
    row,
    values: values.refine((changed) => Object.keys(changed).length > 0),
    sort,
  }),
  z.strictObject({ ...of, intent: z.literal('insert'), values, sort }),
  z.strictObject({ ...of, intent: z.literal('delete'), rows: z.array(row).min(1).max(MAX_DELETED_ROWS) }),
  z.strictObject({ ...of, intent: z.literal('undo'), auditId }),
  z.strictObject({ ...of, intent: z.literal('import-start'), file: z.string().max(255) }),
  z.strictObject({ ...of, intent: z.literal('import-state'), auditId }),
  z.strictObject({
    ...of,
    intent: z.literal('import-rows'),
    auditId,
    columns: z.array(name).min(1).max(1600),
    start: z.int().min(0),
    rows: z
      .array(z.array(z.union([text, z.null()])).max(1600))
      .min(1)
      .max(MAX_IMPORTED_ROWS),
  }),
  z.strictObject({ ...of, intent: z.literal('import-end'), auditId }),
]);

/** Parses the body of a request; undefined if it is invalid. Never rejects. */
export async function parseChangeRequest(request: Request): Promise<ChangeRequest | undefined> {
  const body: unknown = await request.json().catch(() => undefined);
  return changeRequest.safeParse(body).data;
}
