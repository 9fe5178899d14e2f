import { defineLint } from '../lint.ts';

/** 0025: public buckets whose objects clients can list, because a policy has no further condition. */
export const publicBucketAllowsListing = defineLint<{
  bucket_id: string;
  bucket_name: string;
  policy_names: string[];
}>({
  name: 'public_bucket_allows_listing',
  title: 'Public Bucket Allows Listing',
  level: 'WARN',
  category: 'SECURITY',
  description:
    'The objects of a public bucket can be downloaded without a policy. A policy for SELECT also allows clients to list all of them.',
  remediation: 'Drop the policy, or add a condition, if clients need not list the objects.',
  reads: 'storage.buckets',
  sql: `
    select b.id as bucket_id, b.name as bucket_name, array_agg(p.policy_name order by p.policy_name) as policy_names
    from storage.buckets b
    join policy p on p.schema = 'storage' and p.name = 'objects'
    where b.public and p.is_permissive and p.command in ('SELECT', 'ALL')
      and p.roles && array['public', 'anon', 'authenticated']
      and p.qual in ('true', '(1 = 1)', format('(bucket_id = %L::text)', b.id))
    group by b.id, b.name
    order by b.id`,
  report: (row) => ({
    detail: `Clients can list the objects of the public bucket ${row.bucket_name} by these policies: ${row.policy_names.join(', ')}.`,
    metadata: {
      schema: 'storage',
      name: row.bucket_name,
      type: 'bucket',
      ...row,
      policy_count: row.policy_names.length,
    },
    key: [row.bucket_id],
  }),
});
