import { defineConfig } from 'greenroom';

/** The demo has the default name, colours and pages. */
export default defineConfig({});
