/** Expectations that wait longer than the five seconds that are the default outside of a test. */
import { expect as expectShortly } from '@playwright/test';

export const expect = expectShortly.configure({ timeout: 30_000 });
