import { defineLint, type Lint } from '../lint.ts';

/**
 * 0028 and 0029: functions of the data API that run with the rights of their owner, and that a role may call. Nothing can call
 * functions of triggers, and schemas outside the data API are not reported, unlike in the hosted service.
 */
function definerFunctionExecutable(role: 'anon' | 'authenticated', title: string): Lint {
  return defineLint<{ schema: string; name: string; arguments: string; language: string }>({
    name: `${role}_security_definer_function_executable`,
    title,
    level: 'WARN',
    category: 'SECURITY',
    description: `A function with security definer runs with the rights of its owner, past all policies, and ${role} can call it through the data API.`,
    remediation: `Revoke execute from public and ${role}, use security invoker, or move the function to a schema outside the data API.`,
    sql: `
      select r.schema, r.name, r.arguments, r.language
      from routine r
      where r.is_definer and r.is_exposed
        and r.result_type not in ('trigger'::regtype, 'event_trigger'::regtype)
        and exists (
          select from api_role a where a.name = '${role}' and has_function_privilege(a.oid, r.oid, 'execute')
        )
      order by r.schema, r.name, r.arguments`,
    report: (row) => ({
      detail: `${role} can call the function ${row.schema}.${row.name}(${row.arguments}), which runs with the rights of its owner.`,
      metadata: { ...row, security_definer: true },
      key: [row.schema, row.name, row.arguments],
    }),
  });
}

export const anonDefinerFunctionExecutable = definerFunctionExecutable(
  'anon',
  'SECURITY DEFINER Function Executable by Anon',
);
export const authenticatedDefinerFunctionExecutable = definerFunctionExecutable(
  'authenticated',
  'SECURITY DEFINER Function Executable by Authenticated',
);
