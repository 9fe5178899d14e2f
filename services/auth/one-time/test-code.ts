import type { AuthContext } from '../context.ts';

/** The fixed code of a test number; undefined for other numbers. */
export function testCodeOf(
  phone: string,
  { config, now }: Pick<AuthContext, 'config' | 'now'>,
): string | undefined {
  const { testCodes, testCodesUntil } = config;
  return testCodesUntil === undefined || now() < testCodesUntil ? testCodes.get(phone) : undefined;
}
